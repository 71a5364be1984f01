import type { Plan } from './plan';

/** The request that an actor makes, as far as its changes have to do with it. */
export interface ActingRequest {
  /** Ours, never one that a client chose. */
  requestId: string;
  /** The X-Request-Id that the client chose, where it sent one. */
  clientRequestId?: string | undefined;
  /** The request's Idempotency-Key and the record that is settled in the very transaction of the change (docs/adr/0012). */
  idempotency?: { recordId: string; key: string /** When the key was first used, within its 24 hours. */; since: string };
  /** Runs before the transaction of the change commits; what it throws undoes the change. Reads on another connection. */
  precondition?: () => Promise<void>;
}

interface Acting {
  request?: ActingRequest;
}

/** A program using an API key; bound to one identity for good. */
export interface ApiKeyActor extends Acting {
  kind: 'apiKey';
  apiKeyId: string;
  identityId: string;
  plan: Plan;
}

/** A signed-in owner, looking at one of their identities. */
export interface SessionActor extends Acting {
  kind: 'session';
  userId: string;
  /** The browser they signed in with. */
  sessionId: string;
  /** Null only for a user who owns no identity. */
  identityId: string | null;
  /** They proved in this browser who they are (password, and code where two-factor is on) in the last ten minutes. */
  isFresh?: boolean;
}

/** What the installation does without anybody's key or session: for whom or why, as the audit log says it. */
export type SystemCause = 'operator' | 'setup' | 'reset' | 'mail' | 'delivery' | 'reminders' | 'invitee' | 'upkeep' | 'addresses';

/** The operator's command line and jobs, acting for one identity. */
export interface SystemActor extends Acting {
  kind: 'system';
  identityId: string;
  cause?: SystemCause;
}

export type Actor = ApiKeyActor | SessionActor | SystemActor;

/** Any actor that acts for one identity: what the services of identity-scoped resources take. */
export type IdentityActor = Actor & { identityId: string };

/** Whoever answers for a change in the audit log: an actor, or the installation itself for no identity in particular. */
export type Author = Actor | { kind: 'system'; cause: SystemCause; request?: ActingRequest };
