import { encode } from 'next-auth/jwt';
import { describe, expect, test } from 'vitest';
import { createIdentity, setPassword } from '@/server/modules/account/account.service';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { cookieValue, identityCookie, readSession } from './session';
import { authSecret, readSessionToken } from './session-token';

withFreshDatabase();

function sessionToken(claims: Record<string, unknown>, options: { secret?: string; maxAge?: number } = {}): Promise<string> {
  return encode({ token: claims, secret: options.secret ?? authSecret(), maxAge: options.maxAge ?? 3600 });
}

async function cookieOf({ owner }: TestIdentity, epoch = 0): Promise<string> {
  return `other=1; frontdesk.session=${await sessionToken({ userId: owner.userId, epoch })}`;
}

async function secondIdentity({ owner, handle }: TestIdentity): Promise<string> {
  const input = {
    ownerEmail: owner.email,
    ownerPassword: owner.password,
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
      expect(await readSession(cookies, page)).toEqual({ ...identity.actor, identityId: null });
    }
  });

  test('ends when the password changes', async () => {
    const identity = await createTestIdentity();
    const before = await cookieOf(identity);
    expect(await readSession(before)).not.toBeNull();
    await setPassword(identity.owner.userId, 'another long password');
    expect(await readSession(before)).toBeNull();
    expect(await readSession(await cookieOf(identity, 1))).toEqual(identity.actor);
  });

  test('is none without a cookie, with a forged, an expired or a damaged one', async () => {
    const { owner } = await createTestIdentity();
    const claims = { userId: owner.userId, epoch: 0 };
    const good = await sessionToken(claims);
    const tokens = [
      '',
      'x',
      good.slice(0, -2),
      `${good}x`,
      await sessionToken(claims, { secret: 'y'.repeat(32) }),
      await sessionToken(claims, { maxAge: -60 }),
      await sessionToken({ userId: owner.userId }),
      await sessionToken({ userId: 5, epoch: 0 }),
      await sessionToken({ ...claims, epoch: '0' }),
      await sessionToken({ ...claims, epoch: 7 }),
      await sessionToken({ ...claims, userId: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50' }),
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
