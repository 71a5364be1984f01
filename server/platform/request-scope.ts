import { AsyncLocalStorage } from 'node:async_hooks';
import type { Actor, Author } from './actor';
import { oncePerProcess } from './process-globals';

/** The ids of a request as changes note them in the audit log. */
export interface RequestIds {
  /** Ours, never one that a client chose. */
  requestId: string;
  /** The X-Request-Id that the client chose, where it sent one. */
  clientRequestId?: string | undefined;
}

/** What a request brings to the changes that are made for it. */
export interface RequestScope extends RequestIds {
  /** Who makes the request; changes by anyone else on the way have nothing to do with it. */
  actor: Actor;
  /** The request's Idempotency-Key and the record that is settled in the transaction of the change (docs/adr/0012). */
  idempotency?: { recordId: string; key: string /** When the key was first used, within its 24 hours. */; since: string };
  /** Runs before the transaction of the change commits; what it throws undoes the change. Reads on another connection. */
  precondition?: () => Promise<void>;
}

function scopes(): AsyncLocalStorage<RequestScope> {
  return oncePerProcess('request-scopes', () => new AsyncLocalStorage<RequestScope>());
}

/** Does `work` as part of this request. */
export function inRequest<T>(scope: RequestScope, work: () => T): T {
  return scopes().run(scope, work);
}

/** The request that `author` makes; undefined outside of one. */
export function requestOf(author: Author): RequestScope | undefined {
  const scope = scopes().getStore();
  return scope?.actor === author ? scope : undefined;
}
