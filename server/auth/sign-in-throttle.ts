import { createHash } from 'node:crypto';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { pool } from '../db/pool';
import { oncePerProcess } from '../process-registry';

/**
 * Failed sign-ins are counted per account and per address, in the database and so for all servers together. The account's own
 * limit is per account *and* address first, so that a stranger's guessing does not lock the owner out from where they usually are.
 */
interface Limit {
  keyPrefix: string;
  points: number;
  duration: number;
}

const limits = {
  /** From one address for one account: 10 failures in 15 minutes. */
  pair: { keyPrefix: 'pair', points: 10, duration: 15 * 60 },
  /** For one account from everywhere: 100 failures an hour. */
  account: { keyPrefix: 'account', points: 100, duration: 3600 },
  /** From one address for all accounts: 50 failures in 15 minutes. */
  address: { keyPrefix: 'address', points: 50, duration: 15 * 60 },
} satisfies Record<string, Limit>;

function limiter(limit: Limit): RateLimiterPostgres {
  return oncePerProcess(`sign-in-throttle:${limit.keyPrefix}`, () => {
    const created = new RateLimiterPostgres({
      ...limit,
      storeClient: pool(),
      tableName: 'sign_in_throttle',
      tableCreated: true,
      clearExpiredByTimeout: false,
    });
    return created;
  });
}

/** Fits the column however long the two are, and keeps who tried to sign in out of the table. */
function keyOf(...parts: string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('base64url');
}

/** The account's own limit comes last: what an earlier one refuses does not count against the account. */
function keysOf(email: string, address: string): [RateLimiterPostgres, string][] {
  return [
    [limiter(limits.pair), keyOf(email, address)],
    [limiter(limits.address), keyOf(address)],
    [limiter(limits.account), keyOf(email)],
  ];
}

/**
 * Counts an attempt before the password is looked at, so that simultaneous guesses can't pass together.
 *
 * @returns seconds to wait where there were too many failures, else null.
 */
export async function countSignInAttempt(email: string, address: string): Promise<number | null> {
  for (const [counter, key] of keysOf(email, address)) {
    try {
      await counter.consume(key);
    } catch (rejection) {
      if (!(rejection instanceof RateLimiterRes)) throw rejection;
      return Math.max(1, Math.ceil(rejection.msBeforeNext / 1000));
    }
  }
  return null;
}

/** Takes a successful attempt back, and forgets the failures of this account from this address. */
export async function forgiveSignInAttempt(email: string, address: string): Promise<void> {
  const [pair, ...others] = keysOf(email, address);
  if (pair) await pair[0].delete(pair[1]);
  await Promise.all(others.map(([counter, key]) => counter.reward(key)));
}
