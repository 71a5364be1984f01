import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { requestOptionsSchema } from '@/server/features/accounts/passkey.schema';
import { addPasskey, beginPasskey } from '@/server/features/accounts/passkey.service';
import { readSession } from '@/server/platform/auth/session';
import { pool } from '@/server/platform/db/pool';
import { overrideEnv } from '@/server/platform/env';
import { SoftwareAuthenticator } from '@/server/testing/authenticator';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { type Answer, withHttpServer } from '@/server/testing/rest';
import { sessionCookieOf } from '@/server/testing/session';

/** Passkeys as browsers use them: over tRPC and next-auth. The rules are tested with the services. */

const publicUrl = 'https://desk.example.com';
const host = 'desk.example.com';

withFreshDatabase({ PUBLIC_URL: publicUrl });
const call = withHttpServer();

beforeEach(() => {
  overrideEnv({ PUBLIC_URL: publicUrl });
  vi.stubEnv('NEXTAUTH_URL', publicUrl);
});

const freshAddress = () => `2001:db8::${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}`;
const pairOf = (cookie = '') => cookie.split(';')[0] ?? '';
const sessionOf = ({ cookies }: Answer) => pairOf(cookies.find((cookie) => /frontdesk\.session=[^;]/.test(cookie)));
const refusalOf = ({ body }: Answer) => new URL((body as { url: string }).url).searchParams.get('error');

async function post(action: string, fields: Record<string, string>, cookies: string[] = []): Promise<Answer> {
  const csrf = await call('GET', '/api/auth/csrf', { headers: { host } });
  const { csrfToken } = csrf.body as { csrfToken: string };
  return call('POST', `/api/auth/${action}`, {
    headers: {
      host,
      'x-forwarded-for': freshAddress(),
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
      'content-type': 'application/x-www-form-urlencoded',
      cookie: [...csrf.cookies.map(pairOf), ...cookies].join('; '),
    },
    body: new URLSearchParams({ ...fields, csrfToken, json: 'true' }).toString(),
  });
}

function trpc(procedure: string, json: object, cookie = ''): Promise<Answer> {
  return call('POST', `/api/trpc/${procedure}`, {
    headers: { host, origin: publicUrl, 'sec-fetch-site': 'same-origin', cookie },
    json,
  });
}

const dataOf = ({ body }: Answer) => (body as { result: { data: unknown } }).result.data;

async function challenge() {
  return requestOptionsSchema.parse(dataOf(await trpc('passkeys.beginSignIn', {})));
}

async function withPasskey(): Promise<TestIdentity & { device: SoftwareAuthenticator }> {
  const identity = await createTestIdentity();
  const device = new SoftwareAuthenticator(publicUrl);
  await addPasskey(identity.actor, device.create(await beginPasskey(identity.actor)));
  return { ...identity, device };
}

describe('signing in with a passkey', () => {
  test('gives a session that is fresh, and a browser that is remembered and mailed to the owner', async () => {
    overrideEnv({ SMTP_URL: 'smtp://127.0.0.1:1' });
    const { owner, device } = await withPasskey();
    await pool().query(`UPDATE users SET created_at = now() - interval '2 days' WHERE id = $1`, [owner.userId]);
    const passkey = JSON.stringify(device.answer(await challenge()));
    const answer = await post('callback/passkey', { passkey });
    expect(answer.status).toBe(200);
    expect(await readSession(sessionOf(answer))).toMatchObject({ userId: owner.userId, isFresh: true });
    expect(answer.cookies.some((cookie) => cookie.startsWith('__Host-frontdesk.browser='))).toBe(true);
    const { rows } = await pool().query(
      `SELECT count(*)::int AS count FROM outbox_mails WHERE kind = 'new_browser' AND recipients = ARRAY[$1]`,
      [owner.email],
    );
    expect(rows).toEqual([{ count: 1 }]);
    const again = await post('callback/passkey', { passkey });
    expect([again.status, refusalOf(again), sessionOf(again)]).toEqual([401, 'passkey:used', '']);
    overrideEnv({ SMTP_URL: undefined });
  });

  test('is what a right password asks for', async () => {
    const { owner, device } = await withPasskey();
    const { email, password } = owner;
    expect(refusalOf(await post('callback/credentials', { email, password }))).toBe('second_factor:passkey');
    expect(refusalOf(await post('callback/credentials', { email, password: 'wrong' }))).toBe('CredentialsSignin');
    const passkey = JSON.stringify(device.answer(await challenge()));
    expect(refusalOf(await post('callback/credentials', { email, password: 'wrong', passkey }))).toBe('CredentialsSignin');
    const answer = await post('callback/credentials', { email, password, passkey });
    expect(await readSession(sessionOf(answer))).toMatchObject({ userId: owner.userId });
  });

  test('needs the token that only a page of ours could read', async () => {
    const { device } = await withPasskey();
    const body = new URLSearchParams({ passkey: JSON.stringify(device.answer(await challenge())), json: 'true' }).toString();
    const headers = { host, 'content-type': 'application/x-www-form-urlencoded' };
    expect(sessionOf(await call('POST', '/api/auth/callback/passkey', { headers, body }))).toBe('');
    expect((await call('GET', '/api/auth/callback/passkey', { headers: { host } })).status).toBe(405);
  });

  test('with what is no answer is refused, never a fault of the server', async () => {
    const { owner, device } = await withPasskey();
    const answer = device.answer(await challenge());
    const changed = (response: object) => JSON.stringify({ ...answer, response: { ...answer.response, ...response } });
    const { challenge: fresh } = await challenge();
    const clientData = (data: unknown) =>
      Buffer.from(typeof data === 'string' ? data : JSON.stringify(data)).toString('base64url');
    const given = [
      ...['', '{', 'null', '[]', '5', '{}', '"x"', `{"id":"${'A'.repeat(5000)}"}`, 'x'.repeat(12_001)],
      ...['', '!!', 'A'.repeat(5000), null, 5].map((signature) => changed({ signature })),
      ...['AA', 'AAAA', clientData('x'.repeat(200))].map((authenticatorData) => changed({ authenticatorData })),
      ...[
        'null',
        '[]',
        '{',
        '{"challenge":5}',
        '{"challenge":"😀"}',
        { challenge: fresh },
        { challenge: fresh, type: 'webauthn.get' },
      ].map((data) => changed({ clientDataJSON: clientData(data) })),
      ...['AA', 'AAAA'].map((signature) =>
        JSON.stringify({ ...device.answer({ challenge: fresh, rpId: host }), response: { ...answer.response, signature } }),
      ),
    ];
    for (const passkey of given) {
      const { email, password } = owner;
      for (const refused of [
        await post('callback/passkey', { passkey }),
        await post('callback/credentials', { email, password, passkey }),
      ]) {
        expect([passkey.slice(0, 80), refused.status, sessionOf(refused)]).toEqual([passkey.slice(0, 80), 401, '']);
      }
    }
  });
});

describe('over tRPC', () => {
  test('a passkey is added, renamed and removed, and confirms', async () => {
    const identity = await createTestIdentity();
    const device = new SoftwareAuthenticator(publicUrl);
    let cookie = await sessionCookieOf(identity);
    const options = dataOf(await trpc('passkeys.begin', {}, cookie)) as Parameters<typeof device.create>[0];
    const added = await trpc('passkeys.add', { credential: device.create(options) }, cookie);
    expect(dataOf(added)).toMatchObject({ recoveryCodes: { length: 10 } });
    expect((await trpc('passkeys.beginConfirmation', {}, cookie)).status).toBe(401);
    cookie = sessionOf(added);
    await pool().query(`UPDATE sessions SET confirmed_at = now() - interval '1 hour' WHERE id = $1`, [identity.actor.sessionId]);
    const list = await call('GET', '/api/trpc/passkeys.list?input={}', { headers: { host, origin: publicUrl, cookie } });
    const [{ id }] = (dataOf(list) as { passkeys: [{ id: string }] }).passkeys;
    expect((await trpc('passkeys.rename', { id, name: 'Laptop' }, cookie)).status).toBe(200);
    expect((await trpc('passkeys.remove', { id }, cookie)).status).toBe(403);
    const question = requestOptionsSchema.parse(dataOf(await trpc('passkeys.beginConfirmation', {}, cookie)));
    expect((await trpc('passkeys.confirm', { answer: device.answer(question) }, cookie)).status).toBe(200);
    expect((await trpc('passkeys.remove', { id }, cookie)).status).toBe(200);
  });

  test('bad input is refused by the name of the field', async () => {
    const identity = await createTestIdentity();
    const cookie = await sessionCookieOf(identity);
    const id = '0193e7a0-0000-7000-8000-000000000000';
    const bad: [string, object][] = [
      ['passkeys.add', {}],
      ['passkeys.add', { credential: 'x' }],
      ['passkeys.add', { credential: { id: 'AA', response: { clientDataJSON: '', attestationObject: 'AA' } } }],
      ['passkeys.rename', { id, name: '' }],
      ['passkeys.rename', { id, name: 'x'.repeat(101) }],
      ['passkeys.rename', { id: 'x', name: 'x' }],
      ['passkeys.remove', { id: 5 }],
      ['passkeys.confirm', { answer: { id: '!', response: {} } }],
    ];
    for (const [procedure, input] of bad) {
      const answer = await trpc(procedure, input, cookie);
      expect([procedure, input, answer.status]).toEqual([procedure, input, 400]);
      expect(JSON.stringify(answer.body)).toContain('"fields":{');
    }
    // Well-formed, but no attestation.
    const options = dataOf(await trpc('passkeys.begin', {}, cookie)) as Parameters<SoftwareAuthenticator['create']>[0];
    const credential = new SoftwareAuthenticator(publicUrl).create(options);
    for (const attestationObject of ['AA', 'oA', 'gICA', 'o2NmbXQ', 'n'.repeat(12_000)]) {
      const answer = await trpc(
        'passkeys.add',
        { credential: { ...credential, response: { ...credential.response, attestationObject } } },
        cookie,
      );
      expect([attestationObject.slice(0, 20), answer.status]).toEqual([attestationObject.slice(0, 20), 400]);
    }
  });
});
