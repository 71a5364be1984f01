import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { type Answer, withHttpServer } from '@/server/testing/rest';
import { sessionCookieOf } from '@/server/testing/session';
import { appCode, turnOnTwoFactor } from '@/server/testing/two-factor';

/** Sensitive changes over tRPC: refused in a session without a fresh sign-in, until the person confirms it. */

withFreshDatabase({ PUBLIC_URL: 'https://desk.example.com' });
const call = withHttpServer();

const host = 'desk.example.com';
const refused = { status: 403, body: { error: { data: { code: 'fresh_sign_in_required' } } } };

/** A browser session that the owner started eleven minutes ago. */
async function staleBrowser(identity: TestIdentity, given?: string) {
  const cookie = given?.split(';')[0] ?? (await sessionCookieOf(identity));
  const { sessionId } = identity.actor;
  const age = () => pool().query(`UPDATE sessions SET confirmed_at = now() - interval '11 minutes' WHERE id = $1`, [sessionId]);
  await age();
  const post = (procedure: string, json: object): Promise<Answer> =>
    call('POST', `/api/trpc/${procedure}`, {
      headers: { host, origin: `https://${host}`, 'sec-fetch-site': 'same-origin', cookie },
      json,
    });
  return { post, age, createKey: () => post('apiKeys.create', { name: 'New', expiresAt: null }) };
}

async function keyCount({ identityId }: TestIdentity): Promise<number> {
  const { rows } = await pool().query('SELECT count(*)::int AS count FROM api_keys WHERE identity_id = $1', [identityId]);
  return rows[0].count;
}

describe('a session whose sign-in is long ago', () => {
  test('makes no key, until the password is given again', async () => {
    const identity = await createTestIdentity();
    const { post, age, createKey } = await staleBrowser(identity);
    expect(await createKey()).toMatchObject(refused);
    expect(await keyCount(identity)).toBe(1);
    expect(await post('account.confirm', { currentPassword: 'wrong' })).toMatchObject({
      status: 400,
      body: { error: { data: { details: { fields: { currentPassword: 'is wrong' } } } } },
    });
    expect(await createKey()).toMatchObject(refused);
    expect((await post('account.confirm', { currentPassword: identity.owner.password })).status).toBe(200);
    expect((await createKey()).status).toBe(200);
    await age();
    expect(await createKey()).toMatchObject(refused);
  });

  test('does what is not sensitive, and so does an API key', async () => {
    const identity = await createTestIdentity();
    const { post } = await staleBrowser(identity);
    expect((await post('identity.update', { displayName: 'Changed' })).status).toBe(200);
    expect((await call('PATCH', '/api/v1/identity', { key: identity.key, json: { displayName: 'Again' } })).status).toBe(200);
  });

  test('is not made fresh by a confirmation in another browser of the same person, nor by someone else', async () => {
    const identity = await createTestIdentity();
    const stranger = await createTestIdentity({ ownerPassword: 'a password of their own' });
    const { createKey } = await staleBrowser(identity);
    const other = await staleBrowser({ ...identity, actor: { ...identity.actor, sessionId: randomUUID() } });
    expect((await other.post('account.confirm', { currentPassword: identity.owner.password })).status).toBe(200);
    expect((await other.createKey()).status).toBe(200);
    const foreign = await staleBrowser(stranger);
    expect((await foreign.post('account.confirm', { currentPassword: identity.owner.password })).status).toBe(400);
    expect(await createKey()).toMatchObject(refused);
  });

  test('with a second factor needs its code as well, each of them once', async () => {
    const identity = await createTestIdentity();
    const { secret, recoveryCodes, cookie } = await turnOnTwoFactor(identity.actor);
    await sessionCookieOf(identity);
    const { post, age, createKey } = await staleBrowser(identity, cookie);
    const currentPassword = identity.owner.password;
    const confirm = (code?: string) => post('account.confirm', { currentPassword, code });
    const about = (answer: Answer) => (answer.body as { error?: { data: { details: { fields?: object } } } }).error?.data.details;
    for (const code of [undefined, '', '000 00']) {
      expect(about(await confirm(code)), String(code)).toEqual({ fields: { code: expect.any(String) } });
    }
    expect(about(await post('account.confirm', { currentPassword: 'wrong', code: appCode(secret) }))).toEqual({
      fields: { currentPassword: 'is wrong' },
    });
    expect(await createKey()).toMatchObject(refused);
    const code = appCode(secret);
    expect((await confirm(code)).status).toBe(200);
    expect((await createKey()).status).toBe(200);
    await age();
    expect((await confirm(code)).status).toBe(400);
    expect((await confirm(recoveryCodes[0])).status).toBe(200);
    await age();
    expect((await confirm(recoveryCodes[0])).status).toBe(400);
    expect(await createKey()).toMatchObject(refused);
  });

  test('lets no one guess: too many wrong passwords are refused with when to come back', async () => {
    const identity = await createTestIdentity();
    const { post, createKey } = await staleBrowser(identity);
    const answers = [];
    for (let i = 0; i < 12; i++) answers.push(await post('account.confirm', { currentPassword: `guess ${i}` }));
    expect(answers.at(-1)).toMatchObject({ status: 429, body: { error: { data: { code: 'rate_limit_exceeded' } } } });
    expect((await post('account.confirm', { currentPassword: identity.owner.password })).status).toBe(429);
    expect(await createKey()).toMatchObject(refused);
  });
});

test.each([
  [{}],
  [{ currentPassword: '' }],
  [{ currentPassword: 5 }],
  [{ currentPassword: 'x', code: 5 }],
  [{ currentPassword: 'x', code: 'x'.repeat(101) }],
])('confirming with %j is refused by the name of the field', async (input) => {
  const { post } = await staleBrowser(await createTestIdentity());
  const answer = await post('account.confirm', input);
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body)).toMatch(/"fields":\{"(currentPassword|code)"/);
});
