import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readSession } from '@/server/platform/auth/session';
import { pool } from '@/server/platform/db/pool';
import { overrideEnv } from '@/server/platform/env';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { appCode, turnOnTwoFactor } from '@/server/testing/two-factor';
import { listAuditInput } from '../audit/audit.schema';
import { listAudit } from '../audit/audit.service';
import { changePassword, signIn } from './account.service';
import { enableTwoFactorInput } from './two-factor.schema';
import {
  beginTwoFactor,
  disableTwoFactor,
  enableTwoFactor,
  getTwoFactor,
  renewRecoveryCodes,
  resetTwoFactorByEmail,
} from './two-factor.service';

withFreshDatabase();

const freshAddress = () => `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`;
const secretOf = (letter: string) => ({ AUTH_SECRET: letter.repeat(32) });

beforeEach(() => overrideEnv(secretOf('x')));
afterEach(() => overrideEnv({ ...secretOf('x'), SMTP_URL: undefined }));

/** An owner with an authenticator app. */
async function withApp() {
  const identity = await createTestIdentity();
  const app = await turnOnTwoFactor(identity.actor);
  const enter = (code?: string, address = freshAddress()) => signIn(identity.owner.email, identity.owner.password, address, code);
  return { ...identity, ...app, enter };
}

async function noticesTo({ owner }: Pick<TestIdentity, 'owner'>): Promise<{ subject: string; text: string }[]> {
  const { rows } = await pool().query<{ subject: string; text: string }>(
    `SELECT subject, mail ->> 'text' AS text FROM outbox_mails WHERE identity_id IS NULL AND recipients = ARRAY[$1] ORDER BY created_at`,
    [owner.email],
  );
  return rows;
}

describe('setting it up', () => {
  test('shows the secret as a QR code and as text, and asks for nothing at sign-in until a code was entered', async () => {
    const { actor, owner } = await createTestIdentity();
    const setup = await beginTwoFactor(actor);
    expect(setup.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(setup.uri).toContain(`secret=${setup.secret}`);
    expect(setup.qrCode).toMatch(/^<svg /);
    expect(await getTwoFactor(actor)).toEqual({ enabledAt: null, hasPasskeys: false, recoveryCodesLeft: 0, isReadable: true });
    expect(await signIn(owner.email, owner.password, freshAddress())).toHaveProperty('user');

    const wrong = appCode(setup.secret) === '000000' ? '000001' : '000000';
    await expect(enableTwoFactor(actor, { code: wrong })).rejects.toMatchObject({
      details: { fields: { code: expect.any(String) } },
    });
    const { recoveryCodes } = await enableTwoFactor(actor, { code: appCode(setup.secret) });
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(await getTwoFactor(actor)).toMatchObject({ enabledAt: expect.any(String), recoveryCodesLeft: 10 });
    expect(await signIn(owner.email, owner.password, freshAddress())).toEqual({ refused: 'second_factor', methods: ['app'] });
  });

  test('again replaces the secret, but not one that is in use', async () => {
    const { actor } = await createTestIdentity();
    const first = await beginTwoFactor(actor);
    const second = await beginTwoFactor(actor);
    await expect(enableTwoFactor(actor, { code: appCode(first.secret) })).rejects.toMatchObject({ code: 'invalid_request' });
    await enableTwoFactor(actor, { code: appCode(second.secret) });
    await expect(beginTwoFactor(actor)).rejects.toMatchObject({ code: 'conflict' });
    await expect(enableTwoFactor(actor, { code: appCode(second.secret, 1) })).rejects.toMatchObject({ code: 'conflict' });
  });

  test('with a code that was never asked for is refused', async () => {
    const { actor } = await createTestIdentity();
    await expect(enableTwoFactor(actor, { code: '123456' })).rejects.toMatchObject({ code: 'conflict' });
    await expect(disableTwoFactor(actor)).rejects.toMatchObject({ code: 'conflict' });
    await expect(renewRecoveryCodes(actor)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('twice at the same time turns it on once, with one set of recovery codes', async () => {
    const { actor, owner } = await createTestIdentity();
    const { secret } = await beginTwoFactor(actor);
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => enableTwoFactor(actor, { code: appCode(secret) })));
    const [enabled, ...more] = results.filter((result) => result.status === 'fulfilled');
    expect(more).toEqual([]);
    const [code] = enabled?.value.recoveryCodes ?? [];
    expect(await signIn(owner.email, owner.password, freshAddress(), code)).toHaveProperty('user');
  });

  test('ends the other sessions of the account, and a sign-in that was under way', async () => {
    const { actor } = await createTestIdentity();
    await pool().query('INSERT INTO sessions (id, user_id) SELECT gen_random_uuid(), $1 FROM generate_series(1, 3)', [
      actor.userId,
    ]);
    await turnOnTwoFactor(actor);
    const { rows } = await pool().query(
      'SELECT session_epoch AS epoch, (SELECT count(*)::int FROM sessions WHERE user_id = u.id) AS sessions FROM users u WHERE id = $1',
      [actor.userId],
    );
    expect(rows).toEqual([{ epoch: 1, sessions: 0 }]);
  });

  test('takes a code however it is spaced, and six digits only', () => {
    expect(enableTwoFactorInput.parse({ code: ' 123 456 ' })).toEqual({ code: '123456' });
    for (const code of ['', '12345', '1234567', 'abcdef', '１２３４５６', null]) {
      expect(enableTwoFactorInput.safeParse({ code }).error?.issues[0]?.path, String(code)).toEqual(['code']);
    }
  });

  test('leaves neither secret nor recovery codes readable in the database, and none of them in the audit log', async () => {
    const { actor, secret, recoveryCodes } = await withApp();
    await renewRecoveryCodes(actor);
    const stored = await pool().query('SELECT to_jsonb(t) AS row FROM two_factors t WHERE user_id = $1', [actor.userId]);
    const log = await listAudit(actor, listAuditInput.parse({ resource: 'two_factor' }));
    const text = JSON.stringify([stored.rows, log]);
    for (const each of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))]) {
      expect(text).not.toContain(each);
      expect(text).not.toContain(Buffer.from(each).toString('hex'));
    }
    expect(log.entries.map(({ action }) => action)).toEqual(['updated', 'created']);
    await disableTwoFactor(actor);
    const [last] = (await listAudit(actor, listAuditInput.parse({ resource: 'two_factor' }))).entries;
    expect(last).toMatchObject({ action: 'deleted', author: { kind: 'owner', id: actor.userId } });
  });
});

describe('signing in', () => {
  test('needs the password first: without it, nothing is said of codes', async () => {
    const { owner, secret, recoveryCodes, enter } = await withApp();
    for (const code of [undefined, '000000', appCode(secret), recoveryCodes[0]]) {
      expect(await signIn(owner.email, 'not the password', freshAddress(), code)).toEqual({ refused: 'credentials' });
    }
    expect(await enter()).toEqual({ refused: 'second_factor', methods: ['app'] });
    expect(await enter(' ')).toEqual({ refused: 'second_factor', methods: ['app'] });
    expect(await enter('000 00')).toEqual({ refused: 'code', reason: 'wrong' });
    expect(await enter(appCode(secret))).toHaveProperty('user');
  });

  test('takes a code once, also when it comes many times at once, and none from before it', async () => {
    const { enter, secret } = await withApp();
    const code = appCode(secret);
    const results = await Promise.all(Array.from({ length: 8 }, () => enter(code)));
    expect(results.filter((result) => 'user' in result)).toHaveLength(1);
    expect(results.filter((result) => 'reason' in result && result.reason === 'used')).toHaveLength(7);
    expect(await enter(code)).toEqual({ refused: 'code', reason: 'used' });
    expect(await enter(appCode(secret, -1))).toMatchObject({ refused: 'code' });
    expect(await enter(appCode(secret, 1))).toHaveProperty('user');
  });

  test('takes each recovery code once, also when it comes many times at once, however it is typed', async () => {
    const { actor, enter, recoveryCodes } = await withApp();
    const [first = '', second = ''] = recoveryCodes;
    const results = await Promise.all(Array.from({ length: 8 }, () => enter(first)));
    expect(results.filter((result) => 'user' in result)).toHaveLength(1);
    expect(await enter(first)).toEqual({ refused: 'code', reason: 'wrong' });
    expect(await enter(` ${second.toUpperCase().replaceAll('-', ' ')} `)).toHaveProperty('user');
    expect((await getTwoFactor(actor)).recoveryCodesLeft).toBe(8);
  });

  test('takes no recovery code of another account, and none from before new ones were made', async () => {
    const [one, two] = [await withApp(), await withApp()];
    expect(await one.enter(two.recoveryCodes[0])).toEqual({ refused: 'code', reason: 'wrong' });
    const { recoveryCodes } = await renewRecoveryCodes(one.actor);
    expect(await one.enter(one.recoveryCodes[0])).toEqual({ refused: 'code', reason: 'wrong' });
    expect(await one.enter(recoveryCodes[0])).toHaveProperty('user');
  });

  test('counts wrong codes as failures; asking for a code is none, and forgives none', async () => {
    const { enter, secret } = await withApp();
    const address = freshAddress();
    for (let i = 0; i < 9; i++) {
      expect(await enter('000 00', address)).toMatchObject({ reason: 'wrong' });
      expect(await enter(undefined, address)).toMatchObject({ refused: 'second_factor' });
    }
    expect(await enter('000 00', address)).toMatchObject({ reason: 'wrong' });
    expect(await enter(appCode(secret), address)).toMatchObject({ refused: 'throttled' });
    expect(await enter(appCode(secret))).toHaveProperty('user');
  });

  test('ends guessing from everywhere after thirty wrong codes a day; a recovery code still lets the owner in', async () => {
    const { enter, secret, recoveryCodes } = await withApp();
    const guesses = await Promise.all(Array.from({ length: 40 }, () => enter('000 00')));
    expect(guesses.filter((result) => 'reason' in result)).toHaveLength(30);
    const refused = await enter(appCode(secret));
    expect(refused).toEqual({ refused: 'throttled', retryAfter: expect.any(Number) });
    expect((refused as { retryAfter: number }).retryAfter).toBeGreaterThan(23 * 3600);
    expect(await enter(recoveryCodes[0])).toHaveProperty('user');
  });

  test('is not locked out by a code taken under a clock that was ahead', async () => {
    const { actor, enter, secret } = await withApp();
    await pool().query('UPDATE two_factors SET last_step = extract(epoch FROM now())::bigint / 30 + 1000000 WHERE user_id = $1', [
      actor.userId,
    ]);
    const code = appCode(secret);
    expect(await enter(code)).toHaveProperty('user');
    expect(await enter(code)).toMatchObject({ reason: 'used' });
  });

  test('fails with a reason after AUTH_SECRET has changed; recovery codes still work', async () => {
    const { actor, enter, secret, recoveryCodes } = await withApp();
    overrideEnv(secretOf('y'));
    expect(await enter(appCode(secret))).toEqual({ refused: 'code', reason: 'unreadable' });
    expect(await getTwoFactor(actor)).toMatchObject({ isReadable: false });
    expect(await enter(recoveryCodes[0])).toHaveProperty('user');
    await disableTwoFactor(actor);
    expect(await enter()).toHaveProperty('user');
  });
});

describe('with it on', () => {
  test('a password alone changes no password in a session that is not fresh', async () => {
    const { actor, owner } = await withApp();
    const input = { currentPassword: owner.password, newPassword: 'another long password' };
    await expect(changePassword({ ...actor, isFresh: false }, input, freshAddress())).rejects.toMatchObject({
      code: 'fresh_sign_in_required',
    });
    await changePassword(actor, input, freshAddress());
  });

  test('turning it off, or the operator’s reset, lets the password alone sign in again', async () => {
    const [one, two] = [await withApp(), await withApp()];
    await disableTwoFactor(one.actor);
    expect(await one.enter()).toHaveProperty('user');
    expect(await resetTwoFactorByEmail(two.owner.email)).toEqual({ userId: two.owner.userId, wasOn: true, passkeysRemoved: 0 });
    expect(await two.enter()).toMatchObject({ user: { sessionEpoch: 2 } });
    expect(await resetTwoFactorByEmail(two.owner.email)).toEqual({ userId: two.owner.userId, wasOn: false, passkeysRemoved: 0 });
    await expect(resetTwoFactorByEmail('nobody@nowhere.example')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('turning it off ends the other sessions of the account, and the caller goes on with a new token', async () => {
    const { actor } = await withApp();
    await pool().query(
      'INSERT INTO sessions (id, user_id) SELECT gen_random_uuid(), $1::uuid FROM generate_series(1, 3) UNION ALL SELECT $2::uuid, $1::uuid',
      [actor.userId, actor.sessionId],
    );
    const [cookie = ''] = (await disableTwoFactor(actor)).split(';');
    expect(await readSession(cookie)).toMatchObject({ userId: actor.userId, sessionId: actor.sessionId });
    const { rows } = await pool().query('SELECT id FROM sessions WHERE user_id = $1', [actor.userId]);
    expect(rows).toEqual([{ id: actor.sessionId }]);
  });

  test('every change is mailed to the account, without a code in it', async () => {
    overrideEnv({ SMTP_URL: 'smtp://127.0.0.1:1' });
    const { actor, owner, enter, secret, recoveryCodes } = await withApp();
    await enter(recoveryCodes[0]);
    const renewed = await renewRecoveryCodes(actor);
    await disableTwoFactor(actor);
    await turnOnTwoFactor(actor);
    await resetTwoFactorByEmail(owner.email);
    const notices = await noticesTo({ owner });
    expect(notices.map(({ subject }) => subject)).toEqual([
      'Two-factor sign-in was turned on',
      'A recovery code was used to sign in',
      'New recovery codes were created',
      'Two-factor sign-in was turned off',
      'Two-factor sign-in was turned on',
      'Two-factor sign-in was turned off by your administrator',
    ]);
    expect(notices[1]?.text).toContain('9 are left');
    const text = JSON.stringify(notices);
    for (const each of [secret, ...recoveryCodes, ...renewed.recoveryCodes]) expect(text).not.toContain(each);
  });
});
