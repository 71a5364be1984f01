import type { Plan } from './plan';

/** A program using an API key; bound to one identity for good. */
export interface ApiKeyActor {
  kind: 'apiKey';
  apiKeyId: string;
  identityId: string;
  plan: Plan;
}

/** A signed-in owner, looking at one of their identities. */
export interface SessionActor {
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
export interface SystemActor {
  kind: 'system';
  identityId: string;
  cause?: SystemCause;
}

export type Actor = ApiKeyActor | SessionActor | SystemActor;

/** Any actor that acts for one identity: what the services of identity-scoped resources take. */
export type IdentityActor = Actor & { identityId: string };

/** Whoever answers for a change in the audit log: an actor, or the installation itself for no identity in particular. */
export type Author = Actor | { kind: 'system'; cause: SystemCause };
