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
  /** Null only for a user who owns no identity. */
  identityId: string | null;
}

/** The operator's command line and jobs, acting for one identity. */
export interface SystemActor {
  kind: 'system';
  identityId: string;
}

export type Actor = ApiKeyActor | SessionActor | SystemActor;

/** Any actor that acts for one identity: what the services of identity-scoped resources take. */
export type IdentityActor = Actor & { identityId: string };
