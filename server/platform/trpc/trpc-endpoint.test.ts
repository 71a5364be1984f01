import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { setPasswordByEmail } from '@/server/features/accounts/account.service';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { type Call, withHttpServer } from '@/server/testing/rest';
import { sessionCookieOf } from '@/server/testing/session';

withFreshDatabase({ PUBLIC_URL: 'https://desk.example.com' });
const call = withHttpServer();

const host = 'desk.example.com';
const origin = { host, origin: `https://${host}`, 'sec-fetch-site': 'same-origin' };

function query(procedure: string, input: unknown = {}): string {
  return `/api/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`;
}

async function asOwner(identity: TestIdentity, headers: Call['headers'] = {}): Promise<Call['headers']> {
  return { ...origin, cookie: await sessionCookieOf(identity), ...headers };
}

const signedOut = { status: 401, body: { error: { data: { code: 'signed_out', httpStatus: 401, title: 'Unauthorized' } } } };

describe('who calls', () => {
  test('is the owner whose session the cookie holds', async () => {
    const identity = await createTestIdentity();
    const answer = await call('GET', query('identity.get'), { headers: await asOwner(identity) });
    expect(answer).toMatchObject({
      status: 200,
      body: { result: { data: { id: identity.identityId, handle: identity.handle } } },
    });
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  });

  test('is nobody without a session; API keys mean nothing here', async () => {
    const { key } = await createTestIdentity();
    expect(await call('GET', query('identity.get'), { headers: origin })).toMatchObject(signedOut);
    expect(await call('GET', query('identity.get'), { key, headers: origin })).toMatchObject(signedOut);
    expect(await call('POST', '/api/trpc/identity.update', { key, headers: origin, json: { displayName: 'x' } })).toMatchObject(
      signedOut,
    );
    expect(
      await call('GET', query('identity.get'), { headers: { ...origin, cookie: '__Host-frontdesk.session=forged' } }),
    ).toMatchObject(signedOut);
    expect(await call('GET', query('account.get'), { key, headers: origin })).toMatchObject(signedOut);
  });

  test('is the owner, whatever key comes along', async () => {
    const [one, two] = [await createTestIdentity(), await createTestIdentity()];
    const answer = await call('GET', query('identity.get'), { key: two.key, headers: await asOwner(one) });
    expect(answer).toMatchObject({ body: { result: { data: { id: one.identityId } } } });
  });

  test('is nobody any more once the password has changed', async () => {
    const identity = await createTestIdentity();
    const headers = await asOwner(identity);
    await setPasswordByEmail({ email: identity.owner.email, password: 'another long password' });
    expect(await call('GET', query('account.get'), { headers })).toMatchObject(signedOut);
  });

  test('needs no session for what is public', async () => {
    expect(await call('GET', query('setup.status', { token: 'x' }), { headers: origin })).toMatchObject({ status: 200 });
  });
});

describe('for whom', () => {
  test('a page that shows an identity of somebody else’s acts for none', async () => {
    const [one, two] = [await createTestIdentity(), await createTestIdentity()];
    for (const page of [two.identityId, 'nonsense']) {
      const headers = await asOwner(one, { 'x-frontdesk-identity': page });
      const refused = { status: 404, body: { error: { data: { code: 'identity_not_found' } } } };
      expect(await call('GET', query('identity.get'), { headers })).toMatchObject(refused);
      expect(await call('POST', '/api/trpc/identity.update', { headers, json: { displayName: 'x' } })).toMatchObject(refused);
    }
    const headers = await asOwner(one, { 'x-frontdesk-identity': one.identityId });
    expect(await call('GET', query('identity.get'), { headers })).toMatchObject({ status: 200 });
  });

  test('switching to one’s own identity sets a cookie; to another’s it is not found', async () => {
    const [one, two] = [await createTestIdentity(), await createTestIdentity()];
    const headers = await asOwner(one);
    const own = await call('POST', '/api/trpc/account.switchIdentity', { headers, json: { identityId: one.identityId } });
    expect(own.headers['set-cookie']).toBe(
      `__Host-frontdesk.identity=${one.identityId}; Path=/; HttpOnly; SameSite=Lax; Max-Age=1209600; Secure`,
    );
    const foreign = await call('POST', '/api/trpc/account.switchIdentity', { headers, json: { identityId: two.identityId } });
    expect(foreign).toMatchObject({ status: 404, body: { error: { data: { code: 'not_found' } } } });
    expect(foreign.headers).not.toHaveProperty('set-cookie');
  });

  test('customers of another identity are not found', async () => {
    const [one, two] = [await createTestIdentity(), await createTestIdentity()];
    const created = await call('POST', '/api/trpc/customers.create', {
      headers: await asOwner(two),
      json: { contacts: [{ email: 'ann@x.io' }] },
    });
    const { id } = (created.body as { result: { data: { id: string } } }).result.data;
    const answer = await call('GET', query('customers.get', { id }), { headers: await asOwner(one) });
    expect(answer).toMatchObject({
      status: 404,
      body: { error: { message: 'Resource not found or access denied', data: { code: 'not_found' } } },
    });
  });
});

describe('from where', () => {
  const crossOrigin = { status: 403, body: { error: 'Forbidden', code: 'cross_origin', requestId: expect.any(String) } };

  test.each([
    { host, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { host, origin: 'https://other.example.com', 'sec-fetch-site': 'same-site' },
    { host, origin: 'https://desk.example.com', 'sec-fetch-site': 'cross-site' },
    { host, origin: 'https://evil.example' },
    { host, origin: 'https://desk.example.com.evil.example' },
    { host, origin: 'null' },
    { host, 'sec-fetch-site': 'none' },
    { host },
  ])('a change from %j is refused', async (headers) => {
    const identity = await createTestIdentity();
    const cookie = await sessionCookieOf(identity);
    const json = { displayName: 'Stolen' };
    expect(await call('POST', '/api/trpc/identity.update', { headers: { ...headers, cookie }, json })).toMatchObject(crossOrigin);
    expect((await call('GET', query('identity.get'), { headers: { ...origin, cookie } })).body).toMatchObject({
      result: { data: { displayName: null } },
    });
  });

  test.each([
    [
      'whose proxy does not pass on the name',
      { host: '127.0.0.1:3000', origin: 'https://real.example', 'sec-fetch-site': 'same-origin' },
    ],
    ['by plain http, where browsers do not say from where', { host: '127.0.0.1:3000', origin: 'http://real.example' }],
  ])('the dashboard itself, %s, is told which settings to look at', async (_what, headers) => {
    const answer = await call('GET', query('identity.get'), { headers });
    expect(answer).toMatchObject(crossOrigin);
    const { message } = answer.body as { message: string };
    expect(message).toContain(`The page is at ${headers.origin}`);
    expect(message).toContain('the Host header is 127.0.0.1:3000');
    expect(message).toContain(`set PUBLIC_URL=${headers.origin}`);
  });

  test('other sites are told nothing of the settings', async () => {
    const headers = { host, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    const { text } = await call('GET', query('identity.get'), { headers });
    expect(text).not.toMatch(/PUBLIC_URL|Host header/);
  });

  test('reading from elsewhere is refused too', async () => {
    const identity = await createTestIdentity();
    const headers = await asOwner(identity, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' });
    expect(await call('GET', query('identity.get'), { headers })).toMatchObject(crossOrigin);
  });

  test('a change can not be made with GET', async () => {
    const identity = await createTestIdentity();
    const answer = await call('GET', query('identity.update', { displayName: 'x' }), { headers: await asOwner(identity) });
    expect(answer).toMatchObject({ status: 405, body: { error: { data: { code: 'method_not_allowed' } } } });
  });
});

describe('what is wrong is told as the forms need it', () => {
  test('every bad field by its path', async () => {
    const identity = await createTestIdentity();
    const json = { contacts: [{ email: 'nonsense' }], tags: 'vip', company: 'x'.repeat(501) };
    expect(await call('POST', '/api/trpc/customers.create', { headers: await asOwner(identity), json })).toMatchObject({
      status: 400,
      body: {
        error: {
          data: {
            code: 'invalid_request',
            details: {
              fields: {
                'contacts.0.email': 'must be an e-mail address',
                tags: 'must be an array',
                company: 'must have at most 500 characters',
              },
            },
          },
        },
      },
    });
  });

  test('with the request’s id, as in the header', async () => {
    const answer = await call('GET', query('identity.get'), { headers: { ...origin, 'x-request-id': 'my-own-id-1' } });
    expect(answer.headers['x-request-id']).toBe('my-own-id-1');
    expect(answer).toMatchObject({ body: { error: { data: { requestId: 'my-own-id-1' } } } });
  });

  test('what can not be stored is refused here too', async () => {
    const identity = await createTestIdentity();
    const headers = { ...(await asOwner(identity)), 'content-type': 'application/json' };
    for (const text of ['"a\\u0000"', '"\\ud800"']) {
      const answer = await call('POST', '/api/trpc/identity.update', { headers, body: `{"displayName":${text}}` });
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { data: { details: { fields: { displayName: expect.any(String) } } } } },
      });
    }
  });

  test.each([
    ['GET', '/api/trpc/nothing.here', undefined, 404],
    ['GET', '/api/trpc', undefined, 404],
    ['GET', '/api/trpc/identity.get?input=%7B', undefined, 400],
    ['GET', '/api/trpc/identity.get?input=%zz', undefined, 400],
    ['POST', '/api/trpc/identity.update', '{', 400],
    ['POST', '/api/trpc/identity.update', 'x'.repeat(7 * 1024 * 1024), 413],
    ['GET', `/api/trpc/${Array.from({ length: 21 }, () => 'identity.get').join(',')}?batch=1&input=%7B%7D`, undefined, 400],
    ['GET', `/api/trpc/${Array.from({ length: 21 }, () => 'identity.get').join('%2C')}?batch=1&input=%7B%7D`, undefined, 400],
    ['GET', '/api/trpc/identity.get%ff', undefined, 400],
  ])('%s %s of nonsense', async (method, path, body, status) => {
    const identity = await createTestIdentity();
    const headers = { ...(await asOwner(identity)), 'content-type': 'application/json' };
    const answer = await call(method, path, body === undefined ? { headers } : { headers, body });
    expect(answer.status).toBe(status);
    expect(answer.text).not.toMatch(/at .*\.ts:|node_modules|TRPCError/);
  });
});

test('the dashboard changes a profile field by field', async () => {
  const identity = await createTestIdentity();
  const headers = await asOwner(identity);
  const update = (json: object) => call('POST', '/api/trpc/identity.update', { headers, json });
  await update({ profile: { tagline: 'We care', about: 'Since 1999' } });
  expect(await update({ profile: { about: null } })).toMatchObject({
    body: { result: { data: { profile: { tagline: 'We care' } } } },
  });
});

describe('a change with If-Match', () => {
  interface Customer {
    id: string;
    company: string;
    revision: number;
  }

  const dataOf = <T>({ body }: { body: unknown }) => (body as { result: { data: T } }).result.data;
  const changedSince = { status: 412, body: { error: { data: { code: 'precondition_failed', httpStatus: 412 } } } };

  async function aCustomer() {
    const headers = await asOwner(await createTestIdentity());
    const json = { company: 'Quark', contacts: [{ email: 'ann@x.io' }] };
    const { id, revision } = dataOf<Customer>(await call('POST', '/api/trpc/customers.create', { headers, json }));
    const change = (procedure: string, input: object, version?: number | string) =>
      call('POST', `/api/trpc/${procedure}`, {
        headers: { ...headers, ...(version === undefined ? {} : { 'if-match': `"${version}"` }) },
        json: { id, ...input },
      });
    const read = async () => dataOf<Customer>(await call('GET', query('customers.get', { id }), { headers }));
    return { id, revision, change, read };
  }

  test('is made while that is still so, and answers the version to go on from', async () => {
    const { revision, change, read } = await aCustomer();
    const first = await change('customers.update', { company: 'Quark Labs' }, revision);
    expect(first).toMatchObject({ status: 200, body: { result: { data: { company: 'Quark Labs' } } } });
    const next = dataOf<Customer>(first).revision;
    expect(await change('customers.update', { company: 'Quark AG' }, next)).toMatchObject({ status: 200 });
    expect(await read()).toMatchObject({ company: 'Quark AG' });
  });

  test('is refused once somebody else was there, and changes nothing', async () => {
    const { revision, change, read } = await aCustomer();
    await change('customers.update', { phone: '+49 40 1' }, revision);
    const before = await read();
    for (const version of [revision, 0, '', 'nonsense', '1970-01-01T00:00:00.000Z']) {
      expect(await change('customers.update', { company: 'Mine' }, version)).toMatchObject(changedSince);
      expect(await change('customers.addContact', { email: 'bob@x.io' }, version)).toMatchObject(changedSince);
    }
    expect(await read()).toEqual(before);
  });

  test('of several at once with the same tag, one is made', async () => {
    const { revision, change, read } = await aCustomer();
    const companies = ['A', 'B', 'C', 'D', 'E', 'F'];
    const answers = await Promise.all(companies.map((company) => change('customers.update', { company }, revision)));
    const made = companies.filter((_company, index) => answers[index]?.status === 200);
    expect(made).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 200) expect(answer).toMatchObject(changedSince);
    expect(await read()).toMatchObject({ company: made[0] });
  });

  test('is made without a condition where there is no such header', async () => {
    const { revision, change, read } = await aCustomer();
    await change('customers.update', { phone: '+49 40 1' }, revision);
    expect(await change('customers.update', { company: 'Mine' })).toMatchObject({ status: 200 });
    expect(await read()).toMatchObject({ company: 'Mine' });
  });

  test('of a record that is gone, or is somebody else’s, is not told from one that never was', async () => {
    const [one, two] = [await aCustomer(), await aCustomer()];
    const foreign = await one.change('customers.update', { id: two.id, company: 'Mine' }, two.revision);
    const missing = await one.change('customers.update', { id: randomUUID(), company: 'Mine' }, '');
    for (const answer of [foreign, missing]) expect(answer).toMatchObject(changedSince);
    expect(await two.read()).toMatchObject({ company: 'Quark' });
  });

  test('means nothing where nobody is signed in, or the change is of no single record', async () => {
    const ifMatch = { 'if-match': '"long ago"' };
    const json = { displayName: 'x' };
    expect(await call('POST', '/api/trpc/identity.update', { headers: { ...origin, ...ifMatch }, json })).toMatchObject(
      signedOut,
    );
    const headers = await asOwner(await createTestIdentity(), ifMatch);
    const created = await call('POST', '/api/trpc/customers.create', { headers, json: { contacts: [{ email: 'ann@x.io' }] } });
    expect(created).toMatchObject({ status: 200 });
  });
});
