import { createHash } from 'node:crypto';
import timers from 'node:timers/promises';
import { pool } from '../db/pool';
import { rows } from '../db/sql';
import { networkOf } from './client-network';

/**
 * Failed attempts, and what causes emails, are counted in the database, so for all servers together and by the database's clock. Addresses are counted
 * by network.
 * Strangers are counted per account and network, per network, and per account. A browser that has signed in with the account
 * before (remembered-browser.ts) has its own counter: attempts by strangers slow it down but never block it, so nobody can lock
 * an owner out remotely. Passwords re-entered within a session are counted per session, which strangers do not have.
 */
interface Limit {
  keyPrefix: string;
  points: number;
  /** In seconds, from the first failure. */
  duration: number;
}

const limits = {
  /** One address, one account: 10 failures in 15 minutes. */
  pair: { keyPrefix: 'pair', points: 10, duration: 15 * 60 },
  /** One account, all addresses: 100 failures an hour. */
  account: { keyPrefix: 'account', points: 100, duration: 3600 },
  /** One address, all accounts: 50 failures in 15 minutes. */
  address: { keyPrefix: 'address', points: 50, duration: 15 * 60 },
  /** Wrong authenticator codes of one account after a correct password: 30 a day, of a million possible codes. */
  code: { keyPrefix: 'code', points: 30, duration: 24 * 3600 },
  /** A browser remembered for the account: 10 failures in 15 minutes. */
  browser: { keyPrefix: 'browser', points: 10, duration: 15 * 60 },
  /** One session: 10 wrong passwords in 15 minutes. */
  confirmation: { keyPrefix: 'confirmation', points: 10, duration: 15 * 60 },
  /** Wrong INBOUND_SECRET from one network: 10 in 15 minutes. */
  inbound: { keyPrefix: 'inbound', points: 10, duration: 15 * 60 },
  /** Successful sign-ins of one account, of whatever kind, from strange browsers and from each known one: 30 in 15 minutes. */
  signIns: { keyPrefix: 'sign-ins', points: 30, duration: 15 * 60 },
  /** Changes by one account of which all owners of a business are notified (keys, addresses): 60 an hour. */
  noticed: { keyPrefix: 'noticed', points: 60, duration: 3600 },
  /** Password reset links: 3 an hour to one address, 20 an hour from one network. */
  reset: { keyPrefix: 'reset', points: 3, duration: 3600 },
  resetFrom: { keyPrefix: 'reset-from', points: 20, duration: 3600 },
  /** Address confirmation links: 5 an hour per account. */
  accountMail: { keyPrefix: 'account-mail', points: 5, duration: 3600 },
  /** Invitations to a team, sent again included: 30 an hour for a business, 5 to one address. */
  invitations: { keyPrefix: 'invitations', points: 30, duration: 3600 },
  invitation: { keyPrefix: 'invitation', points: 5, duration: 3600 },
  /** Notifications to try it out: 10 an hour per account. */
  testNotification: { keyPrefix: 'test-notification', points: 10, duration: 3600 },
  /** Mailboxes to try out: 30 an hour for a business, whose members could otherwise guess passwords of mail servers. */
  mailboxCheck: { keyPrefix: 'mailbox-check', points: 30, duration: 3600 },
  /** Single sign-on: 300 beginnings in 15 minutes from one network, where a whole office may be. */
  ssoStart: { keyPrefix: 'sso-start', points: 300, duration: 15 * 60 },
  /** An answer of the provider: once, for longer than it may take. */
  ssoAnswer: { keyPrefix: 'sso-answer', points: 1, duration: 3600 },
} satisfies Record<string, Limit>;

/** The database's time in Unix milliseconds. */
const now = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/**
 * Counts one attempt. A window that ends later than a new one would was started while the clock was ahead. It is treated as
 * expired, else a clock set back by a day would lock people out for a day.
 * @returns seconds to wait if the limit is exceeded, else null
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

/** Hashes the parts: the key always fits the column, and the table does not reveal who tried to sign in. */
function keyOf({ keyPrefix }: Limit, ...parts: string[]): string {
  return `${keyPrefix}:${createHash('sha256').update(parts.join('\n')).digest('base64url')}`;
}

/** The account's own limit comes last, so that attempts refused by an earlier limit do not count against the account. */
function strangerKeys(email: string, address: string): [Limit, string][] {
  const network = networkOf(address);
  return [
    [limits.pair, keyOf(limits.pair, email, network)],
    [limits.address, keyOf(limits.address, network)],
    [limits.account, keyOf(limits.account, email)],
  ];
}

/** Delay in milliseconds for a remembered browser while the account is under attack. */
const attackDelay = 1_000;

/**
 * Counts an attempt before the password is checked, so that concurrent guesses can't exceed the limit.
 * @param browserId the id of a browser remembered for this account; null for a stranger's
 * @returns seconds to wait if there were too many failures, else null
 */
export async function countSignInAttempt(
  email: string,
  address: string,
  browserId: string | null = null,
): Promise<number | null> {
  if (browserId !== null) return countKnownBrowser(email, browserId);
  for (const [limit, key] of strangerKeys(email, address)) {
    const wait = await consume(limit, key);
    if (wait !== null) return wait;
  }
  return null;
}

async function countKnownBrowser(email: string, browserId: string): Promise<number | null> {
  const wait = await consume(limits.browser, keyOf(limits.browser, email, browserId));
  if (wait !== null) return wait;
  const isUnderAttack = (await consume(limits.account, keyOf(limits.account, email))) !== null;
  if (isUnderAttack) await timers.setTimeout(attackDelay);
  return null;
}

/** Uncounts a successful attempt, and clears the failures of this account from this network or browser. */
export async function resetSignInAttempts(email: string, address: string, browserId: string | null = null): Promise<void> {
  const account = keyOf(limits.account, email);
  const network = networkOf(address);
  if (browserId !== null) return clearCount(keyOf(limits.browser, email, browserId), [account]);
  await clearCount(keyOf(limits.pair, email, network), [keyOf(limits.address, network), account]);
}

/** Clears all failures of an account after its password was changed. */
export function resetAccountFailures(email: string): Promise<void> {
  return clearCount(keyOf(limits.account, email), []);
}

async function clearCount(cleared: string, uncounted: string[]): Promise<void> {
  await pool().query({ name: 'sign-in-forget', text: 'DELETE FROM sign_in_throttle WHERE key = $1', values: [cleared] });
  if (uncounted.length > 0) await uncount(uncounted);
}

async function uncount(keys: string[]): Promise<void> {
  await pool().query({
    name: 'sign-in-take-back',
    text: 'UPDATE sign_in_throttle SET points = points - 1 WHERE key = ANY($1) AND points > 0',
    values: [keys],
  });
}

/** Uncounts an attempt with a correct password that still needs a code. */
export async function uncountSignInAttempt(email: string, address: string, browserId: string | null = null): Promise<void> {
  const stranger = strangerKeys(email, address).map(([, key]) => key);
  const known = [keyOf(limits.browser, email, browserId ?? ''), keyOf(limits.account, email)];
  await uncount(browserId === null ? stranger : known);
}

/**
 * Counts an authenticator code attempt before the code is checked.
 * @returns seconds to wait if there were too many wrong ones, else null
 */
export function countCodeAttempt(userId: string): Promise<number | null> {
  return consume(limits.code, keyOf(limits.code, userId));
}

/** Clears the wrong codes of an account after a correct one. */
export function resetCodeAttempts(userId: string): Promise<void> {
  return clearCount(keyOf(limits.code, userId), []);
}

/**
 * Counts a password re-entered in a session, before it is checked. A stolen session can't be used to guess passwords, and
 * strangers without a session can't block the owner.
 * @returns seconds to wait if there were too many wrong ones, else null
 */
export function countConfirmation(sessionId: string): Promise<number | null> {
  return consume(limits.confirmation, keyOf(limits.confirmation, sessionId));
}

/** Clears the wrong passwords of a session after a correct one. */
export function resetConfirmations(sessionId: string): Promise<void> {
  return clearCount(keyOf(limits.confirmation, sessionId), []);
}

/** Uncounts a confirmation with a correct password that still needs a code. */
export function uncountConfirmation(sessionId: string): Promise<void> {
  return uncount([keyOf(limits.confirmation, sessionId)]);
}

/** Counts a wrong INBOUND_SECRET. @returns seconds to wait if there were too many from this network, else null */
export function countWrongInboundSecret(address: string): Promise<number | null> {
  return consume(limits.inbound, keyOf(limits.inbound, networkOf(address)));
}

/** @returns seconds to wait if too many wrong INBOUND_SECRETs came from this network, else null */
export async function inboundSecretWait(address: string): Promise<number | null> {
  const { keyPrefix: _, points, duration } = limits.inbound;
  const [found] = await rows<{ wait: number }>(pool(), {
    name: 'inbound-secret-wait',
    text: `SELECT (expire - ${now})::float8 AS wait FROM sign_in_throttle
      WHERE key = $1 AND points > $2 AND expire > ${now} AND expire <= ${now} + $3`,
    values: [keyOf(limits.inbound, networkOf(address)), points, duration * 1000],
  });
  return found ? Math.max(1, Math.ceil(found.wait / 1000)) : null;
}

/**
 * Counts a request for a password reset link, whether or not the account exists.
 * @returns seconds to wait if there were too many for this account or from this address, else null
 */
export async function countPasswordReset(email: string, address: string): Promise<number | null> {
  return (
    (await consume(limits.resetFrom, keyOf(limits.resetFrom, networkOf(address)))) ??
    (await consume(limits.reset, keyOf(limits.reset, email)))
  );
}

/**
 * Counts a successful sign-in, of whatever kind.
 * @param browserId of a browser remembered for the account, which has its own count: others can't keep its owner out
 * @returns seconds to wait if there were too many, else null
 */
export function countSignIn(userId: string, browserId: string | null): Promise<number | null> {
  return consume(limits.signIns, keyOf(limits.signIns, userId, ...(browserId === null ? [] : [browserId])));
}

/** Counts a change of which owners are notified. @returns seconds to wait if there were too many, else null */
export function countNoticedChange(userId: string): Promise<number | null> {
  return consume(limits.noticed, keyOf(limits.noticed, userId));
}

/** Counts a request for an address confirmation link. @returns seconds to wait if there were too many, else null */
export function countAccountMail(userId: string): Promise<number | null> {
  return consume(limits.accountMail, keyOf(limits.accountMail, userId));
}

/** Counts a notification that a person sends to themselves. @returns seconds to wait if there were too many, else null */
export function countTestNotification(userId: string): Promise<number | null> {
  return consume(limits.testNotification, keyOf(limits.testNotification, userId));
}

/** Counts a mailbox that is tried out. @returns seconds to wait if there were too many, else null */
export function countMailboxCheck(identityId: string): Promise<number | null> {
  return consume(limits.mailboxCheck, keyOf(limits.mailboxCheck, identityId));
}

/** Counts an invitation to a team. @returns seconds to wait if there were too many, else null */
export async function countInvitation(identityId: string, email: string): Promise<number | null> {
  return (
    (await consume(limits.invitations, keyOf(limits.invitations, identityId))) ??
    (await consume(limits.invitation, keyOf(limits.invitation, email)))
  );
}

/** Counts the beginning of a single sign-on. @returns seconds to wait if there were too many from this network, else null */
export function countSingleSignOn(address: string): Promise<number | null> {
  return consume(limits.ssoStart, keyOf(limits.ssoStart, networkOf(address)));
}

/** Uses the answer to a single sign-on up, on all servers. @returns false if it was used before */
export async function consumeSingleSignOn(flowId: string): Promise<boolean> {
  return (await consume(limits.ssoAnswer, keyOf(limits.ssoAnswer, flowId))) === null;
}

/** Removes expired counters. */
export async function removeOldAttempts(): Promise<void> {
  await pool().query(`DELETE FROM sign_in_throttle WHERE expire < ${now}`);
}
