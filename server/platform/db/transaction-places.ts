import type { Author } from '../actor';
import { oncePerProcess } from '../process-registry';
import { Turnstile } from '../turnstile';
import { pool } from './pool';

/** Connections that transactions leave to single statements; the job workers listen on two of them. */
const leftToOthers = 4;

function turnstile(): Turnstile {
  return oncePerProcess('transaction-places', () => {
    const places = Math.max(1, (pool().options.max ?? 10) - leftToOthers);
    // One identity's queue for a row that somebody holds must not be everybody's.
    const placesPerOwner = Math.max(1, places - 1);
    return new Turnstile({ places, placesPerOwner, waiting: 10_000, waitTime: 5_000 });
  });
}

/**
 * Does a transaction's work when it may have a connection. Transactions never take all there are: one that holds rows may wait for a read on
 * another connection (see precondition.ts), so there must be one that nobody keeps who waits for those rows. Single statements
 * hold nothing for longer than they run.
 *
 * @throws TooManyWait where there was none in time
 */
export function inTransactionPlace<T>(author: Author, work: () => Promise<T>): Promise<T> {
  const owner = ('identityId' in author && author.identityId) || '';
  return turnstile().run({ owner }, work);
}
