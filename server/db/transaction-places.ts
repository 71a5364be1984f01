import { oncePerProcess } from '../process-registry';
import { Turnstile } from '../turnstile';
import { pool } from './pool';

/** Connections that transactions leave to single statements. */
const leftToStatements = 2;

/**
 * Does a transaction's work when it may have a connection. Transactions never take all there are: one that holds rows may wait for a read on
 * another connection (see precondition.ts), so there must be one that nobody keeps who waits for those rows. Single statements
 * hold nothing for longer than they run.
 *
 * @throws TooManyWait where there was none in time
 */
export function inTransactionPlace<T>(work: () => Promise<T>): Promise<T> {
  const places = Math.max(1, (pool().options.max ?? 10) - leftToStatements);
  const turnstile = oncePerProcess('transaction-places', () => new Turnstile({ places, waiting: 10_000, waitTime: 5_000 }));
  return turnstile.run({}, work);
}
