import { AsyncLocalStorage } from 'node:async_hooks';
import type { Actor } from './actor';
import { oncePerProcess } from './process-globals';

/**
 * For whom the current work is done. Only for sharing connections and downloads fairly, and for row-level security of single
 * statements (docs/adr/0033). Everything else gets the actor as an argument.
 */
function scopes(): AsyncLocalStorage<Actor> {
  return oncePerProcess('request-scopes', () => new AsyncLocalStorage<Actor>());
}

/** Runs `work` for this actor. */
export function onBehalfOf<T>(actor: Actor, work: () => T): T {
  return scopes().run(actor, work);
}

/** Runs `work` outside of any actor's share, for what requests of several actors use together. */
export function onBehalfOfAll<T>(work: () => T): T {
  return scopes().exit(work);
}

/** The identity or, without one, the person that the current work is for; empty for commands, other jobs and people without a session. */
export function ownerOfRequest(): string {
  const actor = scopes().getStore();
  if (!actor) return '';
  return actor.identityId ?? (actor.kind === 'session' ? actor.userId : '');
}

/** The identity whose rows alone single statements of a dashboard request may read; empty for all other work. */
export function identityOfReads(): string {
  const actor = scopes().getStore();
  return (actor?.kind === 'session' && actor.identityId) || '';
}
