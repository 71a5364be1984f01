import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { flushSecurityLog } from '@/server/platform/auth/security-log';
import { pool } from '@/server/platform/db/pool';
import { overrideEnv } from '@/server/platform/env';
import { SoftwareAuthenticator } from '@/server/testing/authenticator';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { freshAddress, withPasskey } from '@/server/testing/passkeys';
import { appCode, turnOnTwoFactor } from '@/server/testing/two-factor';
import { changePassword, signIn } from './account.service';
import { confirmSignIn } from './confirm.service';
import { addPasskey, beginPasskey, listPasskeys, removePasskey } from './passkey.service';
import { beginPasskeyConfirmation, beginPasskeySignIn, confirmWithPasskey, signInWithPasskey } from './passkey-sign-in.service';
import { removeOldLinks } from './password-reset.service';
import { disableTwoFactor, getTwoFactor, renewRecoveryCodes, resetTwoFactorByEmail } from './two-factor.service';

withFreshDatabase();

const publicUrl = 'https://desk.example.com';

beforeEach(() => overrideEnv({ AUTH_SECRET: 'x'.repeat(32), PUBLIC_URL: publicUrl }));

type Actor = TestIdentity['actor'];

async function reasonsOf(userId: string): Promise<string[]> {
  await flushSecurityLog();
  const { rows } = await pool().query('SELECT kind, reason FROM security_events WHERE user_id = $1 ORDER BY first_at', [userId]);
  return rows.map(({ kind, reason }) => `${kind} ${reason}`);
}

const refused = (reason: string) => ({ refused: 'passkey', reason });

describe('signing in', () => {
  test('with a passkey alone gives the account and its epoch, and notes the use', async () => {
    const { owner, enter, actor } = await withPasskey();
    expect(await enter()).toEqual({ user: { id: owner.userId, email: owner.email, sessionEpoch: 1 } });
    expect((await listPasskeys(actor)).passkeys[0]?.lastUsedAt).toEqual(expect.any(String));
  });

  test.each([
    ['of another site', { origin: 'https://evil.example' }, 'wrong'],
    ['for another host', { rpId: 'evil.example' }, 'wrong'],
    ['with a challenge of its own', { challenge: randomBytes(52).toString('base64url') }, 'wrong'],
    ['made as a new passkey', { type: 'webauthn.create' }, 'wrong'],
    ['without verifying the person', { isVerified: false }, 'wrong'],
    ['for another account', { userHandle: 'AAAA' }, 'wrong'],
  ])('refuses an answer %s, and logs it', async (_, lies, reason) => {
    const { owner, enter } = await withPasskey();
    expect(await enter(lies)).toEqual(refused(reason));
    expect(await reasonsOf(owner.userId)).toEqual([`sign_in_failed ${reason}_passkey`]);
    expect(await enter()).toHaveProperty('user');
  });

  test('refuses an answer that was changed, and one signed by another key', async () => {
    const { device } = await withPasskey();
    const stranger = await withPasskey();
    const answer = device.answer(await beginPasskeySignIn());
    const signature = Buffer.from(answer.response.signature, 'base64url');
    signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1;
    const changed = { ...answer, response: { ...answer.response, signature: signature.toString('base64url') } };
    expect(await signInWithPasskey(changed, freshAddress())).toEqual(refused('wrong'));
    const foreign = stranger.device.answer(await beginPasskeySignIn(), { userHandle: device.passkeys[0]?.userHandle ?? '' });
    const borrowed = { ...foreign, id: answer.id };
    expect(await signInWithPasskey(borrowed, freshAddress())).toEqual(refused('wrong'));
  });

  test('takes an answer once, also when it comes many times at once', async () => {
    const { owner, device } = await withPasskey();
    const answer = device.answer(await beginPasskeySignIn());
    const results = await Promise.all(Array.from({ length: 6 }, () => signInWithPasskey(answer, freshAddress())));
    expect(results.filter((result) => 'user' in result)).toHaveLength(1);
    expect(results.filter((result) => 'reason' in result && result.reason === 'used')).toHaveLength(5);
    expect(await signInWithPasskey(answer, freshAddress())).toEqual(refused('used'));
    expect(await reasonsOf(owner.userId)).toContain('sign_in_failed used_passkey');
  });

  test('refuses an answer after five minutes', async () => {
    const { device } = await withPasskey();
    const options = await beginPasskeySignIn();
    const late = Buffer.from(options.challenge, 'base64url');
    // What the challenge says of its end is signed.
    late.writeUInt32BE(late.readUInt32BE() + 60);
    expect(await signInWithPasskey(device.answer({ ...options, challenge: late.toString('base64url') }), freshAddress())).toEqual(
      refused('wrong'),
    );
    const { consumeChallenge, issueChallenge } = await import('./passkey-challenge');
    const challenge = await issueChallenge({ kind: 'sign_in' }, -300);
    const clientData = Buffer.from(JSON.stringify({ challenge })).toString('base64url');
    expect(await consumeChallenge(clientData, { kind: 'sign_in' })).toEqual({ challenge, outcome: 'expired' });
    expect(await signInWithPasskey(device.answer({ ...options, challenge }), freshAddress())).toEqual(refused('expired'));
  });

  test('keeps a used challenge for a day after its end', async () => {
    const { device } = await withPasskey();
    const answer = device.answer(await beginPasskeySignIn());
    await signInWithPasskey(answer, freshAddress());
    const other = device.answer(await beginPasskeySignIn());
    await signInWithPasskey(other, freshAddress());
    await pool().query(`UPDATE used_passkey_challenges SET expires_at = now() - interval '25 hours'
      WHERE hash = (SELECT hash FROM used_passkey_challenges ORDER BY expires_at DESC LIMIT 1)`);
    const count = async () => (await pool().query('SELECT count(*)::int AS count FROM used_passkey_challenges')).rows[0].count;
    const before = await count();
    await removeOldLinks();
    expect(await count()).toBe(before - 1);
  });

  test('says of one that was removed that it is unknown', async () => {
    const { actor, owner, passkey, enter } = await withPasskey();
    await removePasskey(actor, passkey.id);
    expect(await enter()).toEqual(refused('unknown'));
    expect(await signIn(owner.email, owner.password, freshAddress())).toHaveProperty('user');
  });

  test('refuses a copy, whose counter is behind, and says so in the log', async () => {
    const { owner, enter } = await withPasskey({ counts: true });
    expect(await enter()).toHaveProperty('user');
    expect(await enter()).toHaveProperty('user');
    expect(await enter({ counter: 2 })).toEqual(refused('cloned'));
    expect(await enter({ counter: 1 })).toEqual(refused('cloned'));
    expect(await reasonsOf(owner.userId)).toContain('sign_in_failed cloned_passkey');
    // One that no longer counts is no copy, and forgets nothing.
    expect(await enter({ counter: 0 })).toHaveProperty('user');
    expect(await enter({ counter: 2 })).toEqual(refused('cloned'));
    expect(await enter({ counter: 9 })).toHaveProperty('user');
  });

  test('is refused after ten failures from one network, and not from elsewhere', async () => {
    const { owner, enter } = await withPasskey();
    const address = freshAddress();
    for (let i = 0; i < 10; i++) expect(await enter({ isVerified: false }, address)).toEqual(refused('wrong'));
    expect(await enter({}, address)).toEqual({ refused: 'throttled', retryAfter: expect.any(Number) });
    expect(await enter()).toHaveProperty('user');
    expect(await reasonsOf(owner.userId)).toContain('sign_in_throttled too_many_attempts');
  });

  test('with unknown passkeys ends for the network, and for no account', async () => {
    const { device, enter } = await withPasskey();
    const address = freshAddress();
    const answer = device.answer(await beginPasskeySignIn());
    for (let i = 0; i < 50; i++) {
      const id = randomBytes(16).toString('base64url');
      expect(await signInWithPasskey({ ...answer, id }, address)).toEqual(refused('unknown'));
    }
    expect(await enter({}, address)).toMatchObject({ refused: 'throttled' });
    expect(await enter()).toHaveProperty('user');
  });
});

describe('as the second factor', () => {
  test('is asked for after the right password, and is then enough', async () => {
    const { owner, device, recoveryCodes, enterPassword } = await withPasskey();
    expect(await signIn(owner.email, 'not the password', freshAddress())).toEqual({ refused: 'credentials' });
    expect(await enterPassword()).toEqual({ refused: 'second_factor', methods: ['passkey'] });
    expect(await enterPassword('123456')).toEqual({ refused: 'code', reason: 'wrong' });
    expect(await enterPassword(recoveryCodes[0])).toHaveProperty('user');
    expect(await enterPassword(recoveryCodes[0])).toEqual({ refused: 'code', reason: 'wrong' });
    const passkey = device.answer(await beginPasskeySignIn());
    const enter = () => signIn(owner.email, owner.password, freshAddress(), undefined, { passkey });
    expect(await enter()).toHaveProperty('user');
    expect(await enter()).toEqual(refused('used'));
  });

  test('is a choice beside an app, and a passkey of someone else is none', async () => {
    const { actor, owner, device, enterPassword } = await withPasskey();
    const stranger = await withPasskey();
    const { secret } = await turnOnTwoFactor(actor);
    expect(await enterPassword()).toEqual({ refused: 'second_factor', methods: ['app', 'passkey'] });
    expect(await enterPassword(appCode(secret))).toHaveProperty('user');
    const enter = async (authenticator: SoftwareAuthenticator) =>
      signIn(owner.email, owner.password, freshAddress(), undefined, {
        passkey: authenticator.answer(await beginPasskeySignIn()),
      });
    expect(await enter(stranger.device)).toEqual(refused('unknown'));
    expect(await enter(device)).toHaveProperty('user');
    expect(await reasonsOf(owner.userId)).toEqual(['sign_in_failed unknown_passkey']);
  });

  test('stays when the app is turned off, with its recovery codes; they go with the last of both', async () => {
    const { actor, passkey, enterPassword } = await withPasskey();
    const { recoveryCodes } = await turnOnTwoFactor(actor);
    await disableTwoFactor(actor);
    expect(await enterPassword()).toEqual({ refused: 'second_factor', methods: ['passkey'] });
    expect(await enterPassword(recoveryCodes[0])).toHaveProperty('user');
    const renewed = await renewRecoveryCodes(actor);
    expect(await enterPassword(recoveryCodes[1])).toEqual({ refused: 'code', reason: 'wrong' });
    expect(await enterPassword(renewed.recoveryCodes[0])).toHaveProperty('user');
    await removePasskey(actor, passkey.id);
    expect(await enterPassword()).toHaveProperty('user');
    expect(await getTwoFactor(actor)).toMatchObject({ hasPasskeys: false, recoveryCodesLeft: 0 });
  });

  test('added while the app is turned off leaves no account without recovery codes', async () => {
    const { actor } = await createTestIdentity();
    await turnOnTwoFactor(actor);
    const credential = new SoftwareAuthenticator().create(await beginPasskey(actor));
    await Promise.all([addPasskey(actor, credential), disableTwoFactor(actor)]);
    expect(await getTwoFactor(actor)).toEqual({ enabledAt: null, hasPasskeys: true, recoveryCodesLeft: 10, isReadable: true });
  });

  test('keeps a password alone from changing the password in a session that is not fresh', async () => {
    const { actor, owner } = await withPasskey();
    const input = { currentPassword: owner.password, newPassword: 'another long password' };
    await expect(changePassword({ ...actor, isFresh: false }, input, freshAddress())).rejects.toMatchObject({
      code: 'fresh_sign_in_required',
    });
  });

  test('goes with everything else when the operator resets it', async () => {
    const { owner, enter, enterPassword } = await withPasskey();
    const reset = await resetTwoFactorByEmail(owner.email);
    expect(reset).toEqual({ userId: owner.userId, wasOn: true, passkeysRemoved: 1 });
    expect(await enter()).toEqual(refused('unknown'));
    expect(await enterPassword()).toHaveProperty('user');
  });
});

describe('confirming', () => {
  async function age(actor: Actor): Promise<void> {
    await pool().query(`UPDATE sessions SET confirmed_at = now() - interval '1 hour' WHERE id = $1`, [actor.sessionId]);
  }
  async function isFresh(actor: Actor): Promise<boolean> {
    const { rows } = await pool().query(
      `SELECT confirmed_at > now() - interval '1 minute' AS fresh FROM sessions WHERE id = $1`,
      [actor.sessionId],
    );
    return rows[0].fresh;
  }

  test('takes a passkey of this account instead of the password, once', async () => {
    const { actor, device } = await withPasskey();
    await age(actor);
    const options = await beginPasskeyConfirmation(actor);
    expect(options.allowCredentials).toMatchObject([{ id: device.passkeys[0]?.id }]);
    const answer = device.answer(options);
    await confirmWithPasskey(actor, answer, freshAddress());
    expect(await isFresh(actor)).toBe(true);
    await age(actor);
    await expect(confirmWithPasskey(actor, answer, freshAddress())).rejects.toMatchObject({
      details: { fields: { answer: expect.any(String) } },
    });
    expect(await isFresh(actor)).toBe(false);
  });

  test('takes none of another account, of another session, or for signing in; and ends after ten', async () => {
    const { actor, owner, device } = await withPasskey();
    const stranger = await withPasskey();
    await age(actor);
    const attempt = (answer: Parameters<typeof confirmWithPasskey>[1]) => confirmWithPasskey(actor, answer, freshAddress());
    const wrong = { code: 'invalid_request', details: { fields: { answer: expect.any(String) } } };
    await expect(attempt(stranger.device.answer(await beginPasskeyConfirmation(actor)))).rejects.toMatchObject(wrong);
    await expect(attempt(device.answer(await beginPasskeyConfirmation(stranger.actor)))).rejects.toMatchObject(wrong);
    for (let i = 0; i < 8; i++) await expect(attempt(device.answer(await beginPasskeySignIn()))).rejects.toMatchObject(wrong);
    await expect(attempt(device.answer(await beginPasskeyConfirmation(actor)))).rejects.toMatchObject({
      code: 'rate_limit_exceeded',
    });
    expect(await isFresh(actor)).toBe(false);
    expect(await reasonsOf(owner.userId)).toEqual(
      expect.arrayContaining([
        'confirmation_failed unknown_passkey',
        'confirmation_failed wrong_passkey',
        'confirmation_throttled too_many_attempts',
      ]),
    );
  });

  test('with the password needs a recovery code as well', async () => {
    const { actor, owner, recoveryCodes } = await withPasskey();
    await age(actor);
    const confirm = (code?: string) => confirmSignIn(actor, { currentPassword: owner.password, code }, freshAddress());
    await expect(confirm()).rejects.toMatchObject({ details: { fields: { code: 'is needed' } } });
    await confirm(recoveryCodes[0]);
    expect(await isFresh(actor)).toBe(true);
  });
});
