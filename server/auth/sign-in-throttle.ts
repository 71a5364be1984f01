import { createHash } from 'node:crypto';
import { pool } from '../db/pool';
import { rows } from '../db/sql';

/**
 * Failed sign-ins are counted per account and per address, in the database and so for all servers together, by the database's clock. The
 * account's own limit is per account *and* address first, so that a stranger's guessing does not lock the owner out from where they
 * usually are.
 */
interface Limit {
  keyPrefix: string;
  points: number;
  /** Seconds from the first failure on. */
  duration: number;
}

const limits = {
  /** From one address for one account: 10 failures in 15 minutes. */
  pair: { keyPrefix: 'pair', points: 10, duration: 15 * 60 },
  /** For one account from everywhere: 100 failures an hour. */
  account: { keyPrefix: 'account', points: 100, duration: 3600 },
  /** From one address for all accounts: 50 failures in 15 minutes. */
  address: { keyPrefix: 'address', points: 50, duration: 15 * 60 },
  /** Wrong codes of an app for one account, from where the password is known: 30 a day, of a million. */
  code: { keyPrefix: 'code', points: 30, duration: 24 * 3600 },
} satisfies Record<string, Limit>;

/** Unix milliseconds by the database's clock. */
const now = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/**
 * Counts one attempt. A window that ends later than one begun now would was begun under a clock that was ahead: it is over, or a machine
 * set back by a day would lock people out for a day.
 *
 * @returns seconds to wait where there were too many, else null
 */
async function consume({ points, duration }: Limit, key: string): Promise<number | null> {
  const [counted] = await rows<{ points: number; wait: number }>(pool(), {
    name: 'sign-in-attempt',
    text: `INSERT INTO sign_in_throttle AS known (key, points, expire) VALUES ($1, 1, ${now} + $2)
      ON CONFLICT (key) DO UPDATE SET
        points = CASE WHEN known.expire > ${now} AND known.expire <= ${now} + $2 THEN known.points + 1 ELSE 1 END,
        expire = CASE WHEN known.expire > ${now} AND known.expire <= ${now} + $2 THEN known.expire ELSE excluded.expire END
      RETURNING points, (expire - ${now})::float8 AS wait`,
    values: [key, duration * 1000],
  });
  return counted && counted.points > points ? Math.max(1, Math.ceil(counted.wait / 1000)) : null;
}

/** Fits the column however long the two are, and keeps who tried to sign in out of the table. */
function keyOf({ keyPrefix }: Limit, ...parts: string[]): string {
  return `${keyPrefix}:${createHash('sha256').update(parts.join('\n')).digest('base64url')}`;
}

/** The account's own limit comes last: what an earlier one refuses does not count against the account. */
function keysOf(email: string, address: string): [Limit, string][] {
  return [
    [limits.pair, keyOf(limits.pair, email, address)],
    [limits.address, keyOf(limits.address, address)],
    [limits.account, keyOf(limits.account, email)],
  ];
}

/**
 * Counts an attempt before the password is looked at, so that simultaneous guesses can't pass together.
 *
 * @returns seconds to wait where there were too many failures, else null.
 */
export async function countSignInAttempt(email: string, address: string): Promise<number | null> {
  for (const [limit, key] of keysOf(email, address)) {
    const wait = await consume(limit, key);
    if (wait !== null) return wait;
  }
  return null;
}

/** Takes a successful attempt back, and forgets the failures of this account from this address. */
export async function forgiveSignInAttempt(email: string, address: string): Promise<void> {
  const [pair, ...others] = keysOf(email, address).map(([, key]) => key);
  await pool().query({ name: 'sign-in-forget', text: 'DELETE FROM sign_in_throttle WHERE key = $1', values: [pair] });
  await pool().query({
    name: 'sign-in-take-back',
    text: 'UPDATE sign_in_throttle SET points = points - 1 WHERE key = ANY($1) AND points > 0',
    values: [others],
  });
}

/** Takes an attempt back that was neither right nor wrong: the password was right, and a code is still to come. */
export async function takeBackSignInAttempt(email: string, address: string): Promise<void> {
  const keys = keysOf(email, address).map(([, key]) => key);
  await pool().query({
    name: 'sign-in-take-back',
    text: 'UPDATE sign_in_throttle SET points = points - 1 WHERE key = ANY($1) AND points > 0',
    values: [keys],
  });
}

/**
 * Counts an attempt at a code of an authenticator app before the code is looked at.
 *
 * @returns seconds to wait where there were too many wrong ones, else null
 */
export function countCodeAttempt(userId: string): Promise<number | null> {
  return consume(limits.code, keyOf(limits.code, userId));
}

/** Forgets the wrong codes of an account after a right one. */
export async function forgiveCodeAttempts(userId: string): Promise<void> {
  await pool().query({
    name: 'sign-in-forget',
    text: 'DELETE FROM sign_in_throttle WHERE key = $1',
    values: [keyOf(limits.code, userId)],
  });
}

/** Removes the counts that no longer count. */
export async function removeOldAttempts(): Promise<void> {
  await pool().query(`DELETE FROM sign_in_throttle WHERE expire < ${now}`);
}
