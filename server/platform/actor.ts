import type { Plan } from './plan';

/** A program using an API key, which belongs to one identity permanently. */
export interface ApiKeyActor {
  kind: 'apiKey';
  apiKeyId: string;
  identityId: string;
  plan: Plan;
}

/** A signed-in owner acting as one of their identities. */
export interface SessionActor {
  kind: 'session';
  userId: string;
  /** The session of the browser they signed in with. */
  sessionId: string;
  /** Null only for a user who owns no identity. */
  identityId: string | null;
  /**
   * True if they signed in or confirmed their password (and code, with two-factor on) in this browser in the last ten minutes.
   */
  isFresh?: boolean;
}

/** Reasons for changes made without an API key or session, as recorded in the audit log. */
export type SystemCause = 'operator' | 'setup' | 'reset' | 'mail' | 'delivery' | 'reminders' | 'invitee' | 'upkeep' | 'addresses';

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
