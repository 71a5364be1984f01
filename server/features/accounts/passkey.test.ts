import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readSession } from '@/server/platform/auth/session';
import { pool } from '@/server/platform/db/pool';
import { overrideEnv } from '@/server/platform/env';
import { SoftwareAuthenticator } from '@/server/testing/authenticator';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { addTo, freshAddress, withPasskey } from '@/server/testing/passkeys';
import { turnOnTwoFactor } from '@/server/testing/two-factor';
import { listAuditInput } from '../audit/audit.schema';
import { listAudit } from '../audit/audit.service';
import { signIn } from './account.service';
import { passkeysMaximum } from './passkey.schema';
import { addPasskey, beginPasskey, listPasskeys, removePasskey, renamePasskey } from './passkey.service';
import { beginPasskeyConfirmation, beginPasskeySignIn, passkeyOrigin } from './passkey-sign-in.service';
import { getTwoFactor, resetTwoFactorByEmail } from './two-factor.service';

withFreshDatabase();

const publicUrl = 'https://desk.example.com';

beforeEach(() => overrideEnv({ AUTH_SECRET: 'x'.repeat(32), PUBLIC_URL: publicUrl }));
afterEach(() => overrideEnv({ SMTP_URL: undefined }));

async function subjectsTo({ owner }: Pick<TestIdentity, 'owner'>): Promise<string[]> {
  const { rows } = await pool().query(
    'SELECT subject FROM outbox_mails WHERE identity_id IS NULL AND recipients = ARRAY[$1] ORDER BY created_at',
    [owner.email],
  );
  return rows.map(({ subject }) => subject);
}

describe('adding a passkey', () => {
  test('asks for a discoverable one that verifies the person, bound to the host of PUBLIC_URL', async () => {
    const { actor, owner } = await createTestIdentity();
    const options = await beginPasskey(actor);
    expect(options).toMatchObject({
      rp: { id: 'desk.example.com' },
      user: { name: owner.email },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    });
    const device = new SoftwareAuthenticator(publicUrl, { isSynced: true, aaguid: 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd' });
    await addPasskey(actor, device.create(options));
    const list = await listPasskeys(actor);
    expect(list).toMatchObject({ isPossible: true, origin: publicUrl });
    expect(list.passkeys).toMatchObject([{ name: 'Apple Passwords', isSynced: true, otherHost: null, lastUsedAt: null }]);
    expect((await beginPasskey(actor)).excludeCredentials).toMatchObject([
      { id: device.passkeys[0]?.id, transports: ['internal', 'hybrid'] },
    ]);
  });

  test('the first time gives recovery codes and ends the other sessions; later ones do neither', async () => {
    const { actor } = await createTestIdentity();
    await pool().query(
      'INSERT INTO sessions (id, user_id, user_agent) SELECT $2::uuid, $1::uuid, $3 UNION ALL SELECT gen_random_uuid(), $1, $3',
      [actor.userId, actor.sessionId, 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'],
    );
    const first = await addTo(actor, new SoftwareAuthenticator());
    expect(new Set(first.added.recoveryCodes).size).toBe(10);
    expect(first.added.name).toBe('Firefox on Linux');
    expect(await readSession(first.cookie?.split(';')[0] ?? '')).toMatchObject({ sessionId: actor.sessionId });
    const second = await addTo(actor, new SoftwareAuthenticator());
    expect(second).toMatchObject({ added: { recoveryCodes: null }, cookie: null });
    const { rows } = await pool().query('SELECT id FROM sessions WHERE user_id = $1', [actor.userId]);
    expect(rows).toEqual([{ id: actor.sessionId }]);
    expect(await getTwoFactor(actor)).toEqual({ enabledAt: null, hasPasskeys: true, recoveryCodesLeft: 10, isReadable: true });
  });

  test('keeps the recovery codes of an authenticator app', async () => {
    const { actor, owner } = await createTestIdentity();
    const { recoveryCodes } = await turnOnTwoFactor(actor);
    const { added, cookie } = await addTo(actor, new SoftwareAuthenticator());
    expect([added.recoveryCodes, cookie]).toEqual([null, null]);
    expect(await signIn(owner.email, owner.password, freshAddress(), recoveryCodes[0])).toHaveProperty('user');
  });

  test.each([
    ['of another site', { origin: 'https://evil.example' }],
    ['for another host', { rpId: 'evil.example' }],
    ['with a challenge of its own', { challenge: randomBytes(52).toString('base64url') }],
    ['with an empty challenge', { challenge: '' }],
    ['made as an answer', { type: 'webauthn.get' }],
    ['without verifying the person', { isVerified: false }],
  ])('refuses one %s', async (_, lies) => {
    const { actor } = await createTestIdentity();
    const credential = new SoftwareAuthenticator().create(await beginPasskey(actor), lies);
    await expect(addPasskey(actor, credential)).rejects.toMatchObject({ code: 'invalid_request' });
    expect((await listPasskeys(actor)).passkeys).toEqual([]);
  });

  test('refuses one begun in another session, or for signing in', async () => {
    const [{ actor }, other] = [await createTestIdentity(), await createTestIdentity()];
    const options = await beginPasskey(actor);
    const { challenge } = await beginPasskeySignIn();
    for (const given of [await beginPasskey(other.actor), { ...options, challenge }]) {
      await expect(addPasskey(actor, new SoftwareAuthenticator().create(given))).rejects.toMatchObject({
        code: 'invalid_request',
      });
    }
  });

  test('takes one once, also when it comes many times at once, and no other account can have it', async () => {
    const [{ actor }, other] = [await createTestIdentity(), await createTestIdentity()];
    const device = new SoftwareAuthenticator();
    const credential = device.create(await beginPasskey(actor));
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => addPasskey(actor, credential)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    // The same key under a challenge of the other account.
    const theirs = new SoftwareAuthenticator();
    const copy = theirs.create(await beginPasskey(other.actor));
    await pool().query('UPDATE passkeys SET credential_id = $2 WHERE user_id = $1', [
      actor.userId,
      Buffer.from(copy.id, 'base64url'),
    ]);
    await expect(addPasskey(other.actor, copy)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('ends at twenty, also when many come at once', async () => {
    const { actor } = await createTestIdentity();
    await pool().query(
      `INSERT INTO passkeys (id, user_id, name, credential_id, public_key, transports, rp_id, aaguid, is_backup_eligible, is_backed_up)
        SELECT gen_random_uuid(), $1, 'Key', uuid_send(gen_random_uuid()), 'x', '{}', 'desk.example.com', gen_random_uuid(), false, false
        FROM generate_series(1, $2)`,
      [actor.userId, passkeysMaximum - 2],
    );
    const credentials = [];
    for (let i = 0; i < 6; i++) credentials.push(new SoftwareAuthenticator().create(await beginPasskey(actor)));
    const results = await Promise.allSettled(credentials.map((credential) => addPasskey(actor, credential)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect((await listPasskeys(actor)).passkeys).toHaveLength(passkeysMaximum);
    await expect(beginPasskey(actor)).rejects.toMatchObject({ code: 'conflict' });
  });

  test.each(['http://desk.example.com', 'https://192.0.2.7', 'https://[2001:db8::1]'])('is not possible at %s', async (url) => {
    const { actor } = await createTestIdentity();
    overrideEnv({ PUBLIC_URL: url });
    expect((await listPasskeys(actor)).isPossible).toBe(false);
    await expect(beginPasskey(actor)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('https') });
    await expect(beginPasskeySignIn()).rejects.toMatchObject({ code: 'conflict' });
    expect(passkeyOrigin()).toEqual({ origin: null });
  });

  test('is possible on the machine itself', async () => {
    const { actor } = await createTestIdentity();
    overrideEnv({ PUBLIC_URL: 'http://localhost:4000' });
    await addTo(actor, new SoftwareAuthenticator('http://localhost:4000'));
    overrideEnv({ PUBLIC_URL: publicUrl });
    expect((await listPasskeys(actor)).passkeys).toMatchObject([{ otherHost: 'localhost' }]);
    expect((await beginPasskeyConfirmation(actor)).allowCredentials).toEqual([]);
  });
});

describe('managing passkeys', () => {
  test('is for their account alone', async () => {
    const [one, two] = [await withPasskey(), await withPasskey()];
    await expect(renamePasskey(two.actor, { id: one.passkey.id, name: 'Mine' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(removePasskey(two.actor, one.passkey.id)).rejects.toMatchObject({ code: 'not_found' });
    expect((await listPasskeys(two.actor)).passkeys).toHaveLength(1);
    expect((await listPasskeys(one.actor)).passkeys).toMatchObject([{ id: one.passkey.id, name: 'Passkey' }]);
  });

  test('is in the audit log of the account, without keys', async () => {
    const { actor, passkey, device, enter } = await withPasskey();
    await renamePasskey(actor, { id: passkey.id, name: 'Work laptop' });
    await enter();
    await removePasskey(actor, passkey.id);
    const { entries } = await listAudit(actor, listAuditInput.parse({ resource: 'passkey' }));
    expect(entries.map(({ action, label }) => `${action} ${label}`)).toEqual([
      'deleted Work laptop',
      'updated Work laptop',
      'created Passkey',
    ]);
    expect(entries.map(({ changes }) => changes.map(({ field }) => field))).toEqual([['name'], ['name'], ['name']]);
    expect(entries.every(({ author }) => author.kind === 'owner' && author.id === actor.userId)).toBe(true);
    expect(JSON.stringify(entries)).not.toContain(Buffer.from(device.passkeys[0]?.id ?? '', 'base64url').toString('hex'));
    const factors = await listAudit(actor, listAuditInput.parse({ resource: 'two_factor' }));
    expect(factors.entries.map(({ action }) => action)).toEqual(['deleted', 'created']);
  });

  test('removing one ends the other sessions, and the caller goes on with a new token', async () => {
    const { actor, passkey } = await withPasskey();
    await pool().query('INSERT INTO sessions (id, user_id) VALUES (gen_random_uuid(), $1)', [actor.userId]);
    const cookie = await removePasskey(actor, passkey.id);
    expect(await readSession(cookie.split(';')[0] ?? '')).toMatchObject({ sessionId: actor.sessionId });
    const { rows } = await pool().query('SELECT id FROM sessions WHERE user_id = $1', [actor.userId]);
    expect(rows).toEqual([{ id: actor.sessionId }]);
    await expect(removePasskey(actor, passkey.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('stays while it is the last way to sign in', async () => {
    const owner = await withPasskey();
    const last = { code: 'conflict', message: expect.stringMatching(/would have no way to sign in/) };
    overrideEnv({ PASSWORD_SIGN_IN: 'off' });
    try {
      // With it would go the recovery codes, which with an owner's password sign in as well.
      await expect(removePasskey(owner.actor, owner.passkey.id)).rejects.toMatchObject(last);
      await addTo(owner.actor, new SoftwareAuthenticator(publicUrl));
      await removePasskey(owner.actor, owner.passkey.id);
      // That of another host signs in to nothing.
      await pool().query(`UPDATE passkeys SET rp_id = 'old.example' WHERE user_id = $1`, [owner.actor.userId]);
      await addTo(owner.actor, new SoftwareAuthenticator(publicUrl));
      const { passkeys } = await listPasskeys(owner.actor);
      const [current] = passkeys.filter(({ otherHost }) => otherHost === null);
      await pool().query('UPDATE users SET password_hash = NULL WHERE id = $1', [owner.actor.userId]);
      await expect(removePasskey(owner.actor, current?.id ?? '')).rejects.toMatchObject(last);
      expect((await listPasskeys(owner.actor)).passkeys).toHaveLength(2);
    } finally {
      overrideEnv({ PASSWORD_SIGN_IN: 'on' });
    }
  });

  test('is mailed to the account', async () => {
    overrideEnv({ SMTP_URL: 'smtp://127.0.0.1:1' });
    const identity = await withPasskey();
    await addTo(identity.actor, new SoftwareAuthenticator());
    await removePasskey(identity.actor, identity.passkey.id);
    await resetTwoFactorByEmail(identity.owner.email);
    expect(await subjectsTo(identity)).toEqual([
      'A passkey was added to your account',
      'A passkey was added to your account',
      'A passkey was removed from your account',
      'Two-factor sign-in was turned off by your administrator',
    ]);
  });
});
