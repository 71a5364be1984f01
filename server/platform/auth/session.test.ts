import { encode } from 'next-auth/jwt';
import { describe, expect, test } from 'vitest';
import { createIdentity, setPasswordByEmail } from '@/server/features/accounts/account.service';
import { pool } from '@/server/platform/db/pool';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { sessionCookieOf } from '@/server/testing/session';
import { watchStatements } from '@/server/testing/statements';
import { cookieValue, identityCookie, readSession } from './session';
import { authSecret, readSessionToken } from './session-token';

withFreshDatabase();

function sessionToken(claims: Record<string, unknown>, options: { secret?: string; maxAge?: number } = {}): Promise<string> {
  return encode({ token: claims, secret: options.secret ?? authSecret(), maxAge: options.maxAge ?? 3600 });
}

async function cookieOf(identity: TestIdentity): Promise<string> {
  return `other=1; ${await sessionCookieOf(identity)}`;
}

/** Sets a session's last use to a time in the past. */
async function lastSeen({ actor }: TestIdentity, ago: string): Promise<void> {
  await pool().query('UPDATE sessions SET last_seen_at = now() - $2::interval WHERE id = $1', [actor.sessionId, ago]);
}

async function secondsSinceSeen({ actor }: TestIdentity): Promise<number> {
  const { rows } = await pool().query<{ seconds: number }>(
    'SELECT extract(epoch FROM now() - last_seen_at)::float AS seconds FROM sessions WHERE id = $1',
    [actor.sessionId],
  );
  return rows[0]?.seconds ?? Number.NaN;
}

async function secondIdentity({ owner, handle }: TestIdentity): Promise<string> {
  const input = {
    ownerEmail: owner.email,
    existingOwner: true,
    scope: 'identity',
    plan: 'free',
    whitelist: [],
  } as const;
  return (await createIdentity({ handle: `${handle}-2`, ...input, whitelist: [] })).identityId;
}

describe('a session', () => {
  test('is the owner, looking at their oldest identity', async () => {
    const identity = await createTestIdentity();
    await secondIdentity(identity);
    expect(await readSession(await cookieOf(identity))).toEqual(identity.actor);
  });

  test('looks at the identity its cookie names, as long as it is one’s own', async () => {
    const identity = await createTestIdentity();
    const stranger = await createTestIdentity();
    const second = await secondIdentity(identity);
    const session = await cookieOf(identity);
    const looking = async (value: string) => (await readSession(`${session}; frontdesk.identity=${value}`))?.identityId;
    expect(await looking(second)).toBe(second);
    for (const value of [stranger.identityId, 'nonsense', '', "' OR 1=1"]) expect(await looking(value)).toBe(identity.identityId);
  });

  test('acts for the identity the page shows, over the cookie’s; for one of somebody else’s it acts for none', async () => {
    const identity = await createTestIdentity();
    const stranger = await createTestIdentity();
    const second = await secondIdentity(identity);
    const cookies = `${await cookieOf(identity)}; frontdesk.identity=${identity.identityId}`;
    expect(await readSession(cookies, second)).toMatchObject({ identityId: second });
    for (const page of [stranger.identityId, 'nonsense', '']) {
      expect(await readSession(cookies, page)).toEqual({ ...identity.actor, identityId: null, role: null });
    }
  });

  test('ends when the password changes, also for a token whose row is still there', async () => {
    const identity = await createTestIdentity();
    const before = await cookieOf(identity);
    expect(await readSession(before)).not.toBeNull();
    await setPasswordByEmail({ email: identity.owner.email, password: 'another long password' });
    expect(await readSession(before)).toBeNull();
    await cookieOf(identity);
    expect(await readSession(before)).toBeNull();
    const { userId, sessionId } = identity.actor;
    const renewed = await sessionToken({ userId, epoch: 1, sessionId });
    expect(await readSession(`frontdesk.session=${renewed}`)).toEqual(identity.actor);
  });

  test('ends with its row, and belongs to nobody but the one it was made for', async () => {
    const [one, two] = [await createTestIdentity(), await createTestIdentity()];
    const cookie = await cookieOf(one);
    await cookieOf(two);
    const crossed = await sessionToken({ userId: one.owner.userId, epoch: 0, sessionId: two.actor.sessionId });
    expect(await readSession(`frontdesk.session=${crossed}`)).toBeNull();
    await pool().query('DELETE FROM sessions WHERE id = $1', [one.actor.sessionId]);
    expect(await readSession(cookie)).toBeNull();
    expect(await readSession(await cookieOf(two))).toEqual(two.actor);
  });

  test('ends after two weeks without use', async () => {
    const identity = await createTestIdentity();
    const cookie = await cookieOf(identity);
    await lastSeen(identity, '14 days');
    expect(await readSession(cookie)).toBeNull();
    await lastSeen(identity, '13 days 23 hours 59 minutes');
    expect(await readSession(cookie)).toEqual(identity.actor);
  });

  test('ends after ninety days, however much it is used', async () => {
    const identity = await createTestIdentity();
    const cookie = await cookieOf(identity);
    const began = (ago: string) =>
      pool().query('UPDATE sessions SET created_at = now() - $2::interval WHERE id = $1', [identity.actor.sessionId, ago]);
    await began('90 days');
    expect(await readSession(cookie)).toBeNull();
    await began('89 days 23 hours 59 minutes');
    expect(await readSession(cookie)).toEqual(identity.actor);
  });

  test('is fresh for ten minutes after its sign-in or a confirmation, by a clock that was not ahead', async () => {
    const identity = await createTestIdentity();
    const cookie = await cookieOf(identity);
    const isFresh = async (confirmed: string) => {
      const { sessionId } = identity.actor;
      await pool().query('UPDATE sessions SET confirmed_at = now() + $2::interval WHERE id = $1', [sessionId, confirmed]);
      return (await readSession(cookie))?.isFresh;
    };
    expect(await isFresh('-9 minutes -55 seconds')).toBe(true);
    expect(await isFresh('-10 minutes')).toBe(false);
    expect(await isFresh('30 seconds')).toBe(true);
    expect(await isFresh('1 hour')).toBe(false);
  });

  test('notes its last use, once a minute at most', async () => {
    const identity = await createTestIdentity();
    const cookie = await cookieOf(identity);
    await lastSeen(identity, '61 seconds');
    await readSession(cookie);
    await expect.poll(() => secondsSinceSeen(identity)).toBeLessThan(30);
    await lastSeen(identity, '50 seconds');
    const statements = watchStatements();
    await readSession(cookie);
    expect(statements.names()).toEqual(['session']);
  });

  test('is none without a cookie, with a forged, an expired or a damaged one', async () => {
    const identity = await createTestIdentity();
    await cookieOf(identity);
    const { userId, sessionId } = identity.actor;
    const claims = { userId, epoch: 0, sessionId };
    const good = await sessionToken(claims);
    const tokens = [
      '',
      'x',
      good.slice(0, -2),
      `${good}x`,
      await sessionToken(claims, { secret: 'y'.repeat(32) }),
      await sessionToken(claims, { maxAge: -60 }),
      // A token without a session id, as in earlier versions.
      await sessionToken({ userId, epoch: 0 }),
      await sessionToken({ userId, sessionId }),
      await sessionToken({ ...claims, userId: 5 }),
      await sessionToken({ ...claims, sessionId: null }),
      await sessionToken({ ...claims, epoch: '0' }),
      await sessionToken({ ...claims, epoch: 7 }),
      await sessionToken({ ...claims, userId: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50' }),
      await sessionToken({ ...claims, sessionId: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50' }),
    ];
    for (const token of tokens) expect(await readSession(`frontdesk.session=${token}`), token).toBeNull();
    for (const header of [null, '', ';', 'frontdesk.session', `x-frontdesk.session=${good}`, `frontdesk.sessionx=${good}`]) {
      expect(await readSession(header)).toBeNull();
    }
    expect(await readSessionToken(good)).toEqual(claims);
  });
});

describe('cookies', () => {
  test('are found by their whole name', () => {
    expect(cookieValue('a=1; bb=2;b=3 ; c="x=y"', 'b')).toBe('3');
    expect(cookieValue('a=1; b=x=y', 'b')).toBe('x=y');
    expect(cookieValue('b', 'b')).toBeUndefined();
    expect(cookieValue(null, 'b')).toBeUndefined();
  });

  test('that the browser keeps can not be read by scripts or sent from elsewhere', () => {
    expect(identityCookie('x')).toMatch(/^frontdesk\.identity=x; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/);
  });
});
