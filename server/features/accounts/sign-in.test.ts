import { randomBytes } from 'node:crypto';
import timers from 'node:timers/promises';
import { v7 } from 'uuid';
import { describe, expect, test, vi } from 'vitest';
import { verifyPassword } from '@/server/platform/auth/password';
import { rememberBrowser } from '@/server/platform/auth/remembered-browser';
import { countSignInAttempt } from '@/server/platform/auth/sign-in-throttle';
import { pool } from '@/server/platform/db/pool';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { changePasswordInput, signInInput } from './account.schema';
import { changePassword, setPasswordByEmail, signIn } from './account.service';

vi.mock('@/server/platform/auth/password', { spy: true });

withFreshDatabase();

const wrong = 'not the password';
const newPassword = 'another long password';

/** An address in a unique network. */
function freshAddress(): string {
  return `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`;
}

async function epochOf(userId: string): Promise<number> {
  const { rows } = await pool().query<{ session_epoch: number }>('SELECT session_epoch FROM users WHERE id = $1', [userId]);
  return rows[0]?.session_epoch ?? -1;
}

async function failTimes(count: number, email: string, address: string): Promise<void> {
  for (let i = 0; i < count; i++) expect(await signIn(email, wrong, address)).toEqual({ refused: 'credentials' });
}

/** Records failed attempts without hashing as many passwords. */
async function countFailures(count: number, email: (index: number) => string, address: () => string): Promise<void> {
  for (let i = 0; i < count; i++) await countSignInAttempt(email(i), address());
}

describe('signing in', () => {
  test('with the right password gives the account and its epoch', async () => {
    const { owner } = await createTestIdentity();
    expect(await signIn(owner.email, owner.password, freshAddress())).toMatchObject({
      user: { id: owner.userId, email: owner.email, sessionEpoch: 0 },
    });
  });

  test('a wrong password and an account that does not exist are told apart by nothing', async () => {
    const { owner } = await createTestIdentity();
    vi.mocked(verifyPassword).mockClear();
    const known = await signIn(owner.email, wrong, freshAddress());
    const unknown = await signIn('nobody@nowhere.example', wrong, freshAddress());
    expect(unknown).toEqual(known);
    // Both do the same work, so the time reveals nothing either.
    expect(vi.mocked(verifyPassword).mock.calls.map(([hash]) => hash === null)).toEqual([false, true]);
    expect(await verifyPassword(null, 'no account has this password')).toBe(false);
  });

  test('a password is what was typed, to the letter', async () => {
    const { owner } = await createTestIdentity({ ownerPassword: ' Pässwörd 😀 ' });
    expect(await signIn(owner.email, ' Pässwörd 😀 ', freshAddress())).toHaveProperty('user');
    for (const close of ['Pässwörd 😀', ' pässwörd 😀 ', '', ' Pässwörd 😀  ']) {
      expect(await signIn(owner.email, close, freshAddress())).toEqual({ refused: 'credentials' });
    }
  });

  test('the e-mail is taken as it is stored: trimmed, in lower case', () => {
    expect(signInInput.parse({ email: ' Owner@X.Example ', password: ' p ' })).toEqual({
      email: 'owner@x.example',
      password: ' p ',
    });
  });
});

describe('guessing', () => {
  test('ends after ten wrong passwords, also for the right one, and says when to come back', async () => {
    const { owner } = await createTestIdentity();
    const address = freshAddress();
    await failTimes(10, owner.email, address);
    vi.mocked(verifyPassword).mockClear();
    const refused = await signIn(owner.email, owner.password, address);
    expect(refused).toEqual({ refused: 'throttled', retryAfter: expect.any(Number) });
    const { retryAfter } = refused as { retryAfter: number };
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(15 * 60);
    expect(verifyPassword).not.toHaveBeenCalled();
  });

  test('many at once get no more tries than one after the other', async () => {
    const { owner } = await createTestIdentity();
    const address = freshAddress();
    vi.mocked(verifyPassword).mockClear();
    const results = await Promise.all(Array.from({ length: 30 }, () => signIn(owner.email, wrong, address)));
    expect(results.filter((result) => 'refused' in result && result.refused === 'credentials')).toHaveLength(10);
    expect(verifyPassword).toHaveBeenCalledTimes(10);
  });

  test('does not shut out the owner, who comes from elsewhere, however long one stranger goes on', async () => {
    const { owner } = await createTestIdentity();
    const stranger = freshAddress();
    for (let i = 0; i < 130; i++) await signIn(owner.email, wrong, stranger);
    expect(await signIn(owner.email, owner.password, freshAddress())).toHaveProperty('user');
  });

  test('from a hundred addresses ends for this account, and for no other', async () => {
    const { owner } = await createTestIdentity();
    const other = await createTestIdentity();
    await countFailures(99, () => owner.email, freshAddress);
    expect(await signIn(owner.email, wrong, freshAddress())).toEqual({ refused: 'credentials' });
    const last = freshAddress();
    expect(await signIn(owner.email, owner.password, last)).toMatchObject({ refused: 'throttled' });
    expect(await signIn(other.owner.email, other.owner.password, last)).toHaveProperty('user');
  });

  test('gets no further by changing addresses within one IPv6 network', async () => {
    const { owner } = await createTestIdentity();
    const network = freshAddress().replace(/::1$/, '');
    for (let i = 0; i < 10; i++) await failTimes(1, owner.email, `${network}:${i}::7`);
    expect(await signIn(owner.email, owner.password, `${network}:abcd::8`)).toMatchObject({ refused: 'throttled' });
    expect(await signIn(owner.email, owner.password, freshAddress())).toHaveProperty('user');
  });

  test('from an IPv4 address is counted alike where that is mapped into IPv6', async () => {
    const { owner } = await createTestIdentity();
    const address = `198.51.100.${randomBytes(1).readUInt8()}`;
    await failTimes(5, owner.email, address);
    await failTimes(5, owner.email, `::ffff:${address}`);
    expect(await signIn(owner.email, owner.password, address)).toMatchObject({ refused: 'throttled' });
  });

  test('by strangers makes the owner’s own browser slower and locks it out of nothing', async () => {
    const { owner } = await createTestIdentity();
    const cookie = rememberBrowser(null, owner.userId).split(';')[0] ?? '';
    const address = freshAddress();
    const delay = vi.spyOn(timers, 'setTimeout').mockResolvedValue(undefined);
    const signInHere = () => signIn(owner.email, owner.password, address, undefined, { cookies: cookie });
    expect(await signInHere()).toHaveProperty('user');
    expect(delay).not.toHaveBeenCalled();
    // From many addresses, and from the owner's own address as well.
    await failTimes(10, owner.email, address);
    await countFailures(91, () => owner.email, freshAddress);
    await countFailures(
      45,
      (i) => `user${i}@near.example`,
      () => address,
    );
    expect(await signIn(owner.email, owner.password, address)).toMatchObject({ refused: 'throttled' });
    expect(await signInHere()).toHaveProperty('user');
    expect(delay.mock.calls).toEqual([[1_000]]);
  });

  test('from a remembered browser ends after ten wrong passwords, for this browser and account alone', async () => {
    const { owner } = await createTestIdentity();
    const other = await createTestIdentity();
    const cookie = rememberBrowser(null, owner.userId).split(';')[0] ?? '';
    for (let i = 0; i < 10; i++) {
      expect(await signIn(owner.email, wrong, freshAddress(), undefined, { cookies: cookie })).toEqual({
        refused: 'credentials',
      });
    }
    expect(await signIn(owner.email, owner.password, freshAddress(), undefined, { cookies: cookie })).toMatchObject({
      refused: 'throttled',
    });
    expect(await signIn(owner.email, owner.password, freshAddress())).toHaveProperty('user');
    // A browser is unknown to accounts it has not signed in with.
    const address = freshAddress();
    await failTimes(10, other.owner.email, address);
    expect(await signIn(other.owner.email, other.owner.password, address, undefined, { cookies: cookie })).toMatchObject({
      refused: 'throttled',
    });
  });

  test('one password for many accounts ends for this address, and for no other', async () => {
    const address = freshAddress();
    for (let i = 0; i < 50; i++)
      expect(await signIn(`user${i}@spray.example`, wrong, address)).toEqual({ refused: 'credentials' });
    const { owner } = await createTestIdentity();
    expect(await signIn(owner.email, owner.password, address)).toMatchObject({ refused: 'throttled' });
    expect(await signIn(owner.email, owner.password, freshAddress())).toHaveProperty('user');
  });

  test('is forgiven by the right password', async () => {
    const { owner } = await createTestIdentity();
    const address = freshAddress();
    for (let round = 0; round < 4; round++) {
      await failTimes(9, owner.email, address);
      expect(await signIn(owner.email, owner.password, address)).toHaveProperty('user');
    }
  });

  test('is counted for the longest e-mail and address there are', async () => {
    const email = `${'a'.repeat(60)}@${`${'b'.repeat(60)}.`.repeat(3)}example`.padEnd(254, 'x');
    expect(signInInput.parse({ email, password: wrong }).email).toHaveLength(254);
    const address = 'x'.repeat(300);
    await failTimes(10, email, address);
    expect(await signIn(email, wrong, address)).toMatchObject({ refused: 'throttled' });
  });
});

describe('changing the password', () => {
  test('ends every session and the old password', async () => {
    const { actor, owner } = await createTestIdentity();
    await changePassword(actor, { currentPassword: owner.password, newPassword }, freshAddress());
    expect(await epochOf(owner.userId)).toBe(1);
    expect(await signIn(owner.email, owner.password, freshAddress())).toEqual({ refused: 'credentials' });
    expect(await signIn(owner.email, newPassword, freshAddress())).toMatchObject({ user: { sessionEpoch: 1 } });
  });

  test('needs the current one, and counts wrong ones for the session, wherever it is used from', async () => {
    const { actor, owner } = await createTestIdentity();
    const change = (currentPassword: string, by = actor) => changePassword(by, { currentPassword, newPassword }, freshAddress());
    for (let i = 0; i < 10; i++) {
      await expect(change(wrong)).rejects.toMatchObject({
        code: 'invalid_request',
        details: { fields: { currentPassword: expect.any(String) } },
      });
    }
    await expect(change(owner.password)).rejects.toMatchObject({
      code: 'rate_limit_exceeded',
      headers: { 'Retry-After': expect.stringMatching(/^\d+$/) },
    });
    expect(await epochOf(owner.userId)).toBe(0);
    // Another session of the same account has no failed attempts.
    await change(owner.password, { ...actor, sessionId: v7() });
    expect(await epochOf(owner.userId)).toBe(1);
  });

  test('is not kept from the owner by strangers who fail to sign in', async () => {
    const { actor, owner } = await createTestIdentity();
    await countFailures(105, () => owner.email, freshAddress);
    await changePassword(actor, { currentPassword: owner.password, newPassword }, freshAddress());
    expect(await epochOf(owner.userId)).toBe(1);
  });

  test('wants at least twelve characters', () => {
    expect(changePasswordInput.safeParse({ currentPassword: 'x', newPassword: 'x'.repeat(11) }).success).toBe(false);
    expect(changePasswordInput.safeParse({ currentPassword: 'x', newPassword: 'x'.repeat(12) }).success).toBe(true);
    expect(changePasswordInput.safeParse({ currentPassword: 'x', newPassword: 'x'.repeat(201) }).success).toBe(false);
  });

  test('from the command line needs no current one, and ends the sessions too', async () => {
    const { owner } = await createTestIdentity();
    expect(await setPasswordByEmail({ email: owner.email, password: newPassword })).toEqual({ userId: owner.userId });
    expect(await epochOf(owner.userId)).toBe(1);
    expect(await signIn(owner.email, newPassword, freshAddress())).toHaveProperty('user');
    await expect(setPasswordByEmail({ email: 'nobody@nowhere.example', password: newPassword })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

test('no password ever stands in the database', async () => {
  const { owner } = await createTestIdentity();
  const { rows } = await pool().query('SELECT * FROM users WHERE id = $1', [owner.userId]);
  expect(rows[0].password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(JSON.stringify(rows)).not.toContain(owner.password);
});
