import type { TeamRole } from './auth/team-roles.schema';
import type { RowReader } from './db/sql';
import type { Plan } from './plan';

/** The ids of a request, as recorded in the audit log. */
export interface RequestIds {
  /** Ours, never one chosen by a client. */
  requestId: string;
  /** The client's X-Request-Id, if it sent one. */
  clientRequestId?: string | undefined;
}

/** The request in which an actor acts, for the changes it makes. */
export interface ActorRequest extends RequestIds {
  /** The request's Idempotency-Key, and its record, which the change's transaction settles (docs/adr/0012). */
  idempotency?: { recordId: string; key: string /** When the key was first used, within its 24 hours. */; since: string };
  /**
   * Locks the record that the request is conditional on, in the change's transaction and before the change.
   * @returns refuses the change if the record is another one by now; called after it, so that its own errors come first
   */
  precondition?: (db: RowReader) => Promise<() => void>;
}

/** A program using an API key, which belongs to one identity permanently. */
export interface ApiKeyActor {
  kind: 'apiKey';
  apiKeyId: string;
  identityId: string;
  /** The account that answers for the identity. */
  ownerUserId: string;
  plan: Plan;
  /** What its owner calls it; shown in events. */
  name?: string;
  /** What it may do: scopes of auth/scopes.schema.ts. */
  scopes: readonly string[];
  /** The agent whose key it is, for which it acts. */
  agent: KeyAgent | null;
  /** Set by `invoke` for one call. */
  request?: ActorRequest;
}

/** The agent of a key; `name` and `status` are null if it no longer exists. */
export interface KeyAgent {
  id: string;
  name: string | null;
  status: 'active' | 'paused' | 'archived' | null;
}

/** A signed-in person acting for one of the identities that they are a member of. */
export interface SessionActor {
  kind: 'session';
  userId: string;
  /** The session of the browser they signed in with. */
  sessionId: string;
  /** What colleagues call them; shown in events. Null for a person who gave no name. */
  name?: string | null;
  /** Null only for a user who is a member of no identity. */
  identityId: string | null;
  /** Their role in that identity; null without one. */
  role: TeamRole | null;
  /** True if the identity wants members to have a second factor, and they have none: they may only set one up, or leave. */
  lacksTwoFactor?: boolean;
  /**
   * True if they signed in or confirmed their password (and code, with two-factor on) in this browser in the last ten minutes.
   */
  isFresh?: boolean;
  /** Set by `invoke` for one call. */
  request?: ActorRequest;
}

/** Reasons for changes made without an API key or session, as recorded in the audit log. */
export type SystemCause =
  | ('operator' | 'setup' | 'reset' | 'mail' | 'delivery' | 'reminders' | 'invitee' | 'upkeep' | 'addresses' | 'invitation')
  | ('webhooks' | 'single_sign_on');

/** Command-line commands and jobs, acting for one identity. */
export interface SystemActor {
  kind: 'system';
  identityId: string;
  cause?: SystemCause;
}

export type Actor = ApiKeyActor | SessionActor | SystemActor;

/** Any actor that acts for one identity. Services of identity-scoped resources take this. */
export type IdentityActor = Actor & { identityId: string };

/** The author of a change in the audit log: an actor, or the installation itself when no single identity is involved. */
export type Author = Actor | { kind: 'system'; cause: SystemCause };

/** The request in which the author acts; undefined outside of one, and for the installation itself. */
export function requestOf(author: Author): ActorRequest | undefined {
  return 'request' in author ? author.request : undefined;
}
