import { AsyncLocalStorage } from 'node:async_hooks';
import type { Actor, Author } from './actor';
import { oncePerProcess } from './process-globals';

/** The ids of a request, as recorded in the audit log. */
export interface RequestIds {
  /** Ours, never one chosen by a client. */
  requestId: string;
  /** The client's X-Request-Id, if it sent one. */
  clientRequestId?: string | undefined;
}

/** Context of a request for the changes it makes. */
export interface RequestScope extends RequestIds {
  /** The request's actor; changes by other actors during it do not use this scope. */
  actor: Actor;
  /** The request's Idempotency-Key, and its record, which the change's transaction settles (docs/adr/0012). */
  idempotency?: { recordId: string; key: string /** When the key was first used, within its 24 hours. */; since: string };
  /** Runs before the change's transaction commits; an error rolls it back. Reads on another connection. */
  precondition?: () => Promise<void>;
}

function scopes(): AsyncLocalStorage<RequestScope> {
  return oncePerProcess('request-scopes', () => new AsyncLocalStorage<RequestScope>());
}

/** Runs `work` within this request. */
export function inRequest<T>(scope: RequestScope, work: () => T): T {
  return scopes().run(scope, work);
}

/** Runs `work` within the current request, or one with only these ids if there is none. */
export function inSomeRequest<T>(scope: RequestScope, work: () => T): T {
  return scopes().getStore() ? work() : inRequest(scope, work);
}

/** The identity or, without one, the person that the current work is for; empty for jobs, commands and people without a session. */
export function ownerOfRequest(): string {
  const actor = scopes().getStore()?.actor;
  if (!actor) return '';
  return actor.identityId ?? (actor.kind === 'session' ? actor.userId : '');
}

/** The identity whose rows alone single statements of a dashboard request may read; empty for all other work. */
export function identityOfReads(): string {
  const actor = scopes().getStore()?.actor;
  return (actor?.kind === 'session' && actor.identityId) || '';
}

/** The current request if `author` makes it, else undefined. */
export function requestOf(author: Author): RequestScope | undefined {
  const scope = scopes().getStore();
  return scope?.actor === author ? scope : undefined;
}
