import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { flushSecurityLog } from '@/server/platform/auth/security-log';
import { pool } from '@/server/platform/db/pool';
import { prisma } from '@/server/platform/db/prisma';
import { overrideEnv } from '@/server/platform/env';
import { providerTimeout } from '@/server/platform/fetch/provider-fetch';
import { takeFromProcess } from '@/server/platform/process-globals';
import { withFreshDatabase } from '@/server/testing/database';
import { type HostileProvider, startHostileProvider } from '@/server/testing/hostile-provider';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { within } from '@/server/testing/patience';
import { withHttpServer } from '@/server/testing/rest';
import { sessionCookieOf } from '@/server/testing/session';
import { Browser } from '@/server/testing/single-sign-on';
import { turnOnTwoFactor } from '@/server/testing/two-factor';

/** Single sign-on with a provider that forges, is broken, or is not there. */

withFreshDatabase();
const call = withHttpServer();

let provider: HostileProvider;
let identity: TestIdentity;

beforeAll(async () => {
  provider = await startHostileProvider();
  overrideEnv(provider.settings);
});

afterAll(() => provider.close());

beforeEach(async () => {
  provider.reset();
  takeFromProcess('oidc-configuration');
  overrideEnv({ ...provider.settings, OIDC_ALLOWED_DOMAINS: [] });
  identity = await createTestIdentity();
  const subject = `person-${randomBytes(4).toString('hex')}`;
  provider.claims = { sub: subject };
  await prisma().oidcAccount.create({ data: { userId: identity.owner.userId, issuer: provider.issuer, subject } });
});

/** Begins a visit; the provider's token gets its nonce. @returns the query of a good answer */
async function begin(browser: Browser): Promise<URLSearchParams> {
  await browser.open('/api/auth/oidc/start');
  const { searchParams } = new URL(browser.page);
  expect(searchParams.get('code_challenge_method')).toBe('S256');
  provider.nonce = searchParams.get('nonce');
  return new URLSearchParams({ code: 'a code', state: searchParams.get('state') ?? '' });
}

async function finish(browser: Browser, answer: URLSearchParams): Promise<string> {
  return browser.open(`/api/auth/oidc/callback?${answer}`);
}

/** Goes through single sign-on. @returns where it ends */
async function attempt(browser = new Browser(call)): Promise<string> {
  return finish(browser, await begin(browser));
}

const sessions = () => prisma().session.count({ where: { userId: identity.owner.userId } });

test('a good answer signs in, and proves the code with its verifier', async () => {
  expect(await attempt()).toBe('/');
  expect(await sessions()).toBe(1);
  const { body } = provider.requests.find(({ path }) => path === '/token') ?? { body: '' };
  expect(new URLSearchParams(body).get('code_verifier')).toMatch(/^[\w-]{43,}$/);
  // Read once: discovery is kept.
  expect(await attempt()).toBe('/');
  expect(provider.requests.filter(({ path }) => path.startsWith('/.well-known/'))).toHaveLength(1);
});

const past = Math.floor(Date.now() / 1000) - 3600;

describe('a token is refused', () => {
  test.each<[string, () => void, string]>([
    ['with the nonce of another visit', () => Object.assign(provider.claims, { nonce: 'another' }), 'nonce'],
    ['without a nonce', () => Object.assign(provider.claims, { nonce: undefined }), 'token'],
    ['of another issuer', () => Object.assign(provider.claims, { iss: 'https://other.example' }), 'token'],
    ['for another client', () => Object.assign(provider.claims, { aud: 'another' }), 'token'],
    ['for several clients, of another', () => Object.assign(provider.claims, { aud: ['frontdesk', 'x'], azp: 'x' }), 'token'],
    ['that has expired', () => Object.assign(provider.claims, { iat: past, exp: past + 60 }), 'token'],
    ['without an end', () => Object.assign(provider.claims, { exp: undefined }), 'token'],
    ['without a subject', () => Object.assign(provider.claims, { sub: undefined }), 'token'],
    ['with an endless subject', () => Object.assign(provider.claims, { sub: 'x'.repeat(256) }), 'token'],
    ['that is not signed', () => Object.assign(provider, { alg: 'none' }), 'token'],
    ['that is signed with another key', () => Object.assign(provider, { hasOtherKey: true }), 'token'],
  ])('%s', async (_, forge, reason) => {
    forge();
    const browser = new Browser(call);
    expect(await attempt(browser)).toBe(`/sign-in?error=sso_${reason}`);
    expect(browser.isSignedIn).toBe(false);
    expect(await sessions()).toBe(0);
  });

  test('and so are answers that are not of this visit', async () => {
    const browser = new Browser(call);
    for (const change of [
      (answer: URLSearchParams) => answer.set('state', 'another'),
      (answer: URLSearchParams) => answer.delete('state'),
      (answer: URLSearchParams) => answer.set('state', ''),
    ]) {
      const answer = await begin(browser);
      change(answer);
      expect(await finish(browser, answer)).toBe('/sign-in?error=sso_state');
    }
    const twice = await begin(browser);
    twice.append('code', 'another');
    expect(await finish(browser, twice)).toMatch(/^\/sign-in\?error=sso_(token|provider)$/);
    const denied = await begin(browser);
    denied.delete('code');
    denied.set('error', 'access_denied');
    expect(await finish(browser, denied)).toBe('/sign-in?error=sso_denied');
    const mixedUp = await begin(browser);
    mixedUp.set('iss', 'https://other.example');
    expect(await finish(browser, mixedUp)).toMatch(/^\/sign-in\?error=sso_(token|provider)$/);
    expect(provider.requests.some(({ path }) => path === '/token')).toBe(false);
    expect(browser.isSignedIn).toBe(false);
  });

  test('and so is a cookie that was changed, or that is old', async () => {
    const browser = new Browser(call);
    const answer = await begin(browser);
    const cookie = browser.cookies.get('frontdesk.sso') ?? '';
    browser.cookies.set('frontdesk.sso', `${cookie.slice(0, -2)}AA`);
    expect(await finish(browser, answer)).toBe('/sign-in?error=sso_state');
    browser.cookies.set('frontdesk.sso', 'x');
    expect(await finish(browser, answer)).toBe('/sign-in?error=sso_state');
  });
});

describe('what the provider does not say is not assumed', () => {
  test('an email that is not verified opens no domain', async () => {
    overrideEnv({ OIDC_ALLOWED_DOMAINS: ['quark.example'] });
    for (const claims of [{ email_verified: false }, { email_verified: 'true' }, { email_verified: undefined }, { email: 7 }]) {
      const { sub } = provider.claims;
      provider.claims = { sub, ...claims };
      expect(await attempt()).toBe('/sign-in?error=sso_domain');
    }
  });

  test('several factors count only by the name for them', async () => {
    await turnOnTwoFactor(identity.actor);
    const { sub } = provider.claims;
    for (const [amr, isEnough] of [
      [undefined, false],
      ['mfa', false],
      [['pwd', 'otp'], false],
      [['pwd', 'otp', 'mfa'], true],
    ] as const) {
      provider.claims = { sub, amr };
      expect(await attempt()).toBe(isEnough ? '/' : '/sign-in?step=code&callbackUrl=%2F');
    }
  });

  test('a sign-in long ago at the provider makes no fresh session, and confirms nothing', async () => {
    const { sub } = provider.claims;
    provider.claims = { sub, auth_time: past };
    const browser = new Browser(call);
    expect(await attempt(browser)).toBe('/');
    expect((await browser.mutate('singleSignOn.disconnect', {})).data).toMatchObject({
      data: { code: 'fresh_sign_in_required' },
    });
    for (const auth_time of [past, undefined]) {
      const { data } = await browser.mutate('singleSignOn.confirm', { returnTo: '/' });
      const { searchParams } = new URL(String(data.url));
      provider.claims = { sub, auth_time };
      provider.nonce = searchParams.get('nonce');
      const answer = new URLSearchParams({ code: 'x', state: searchParams.get('state') ?? '' });
      expect(await finish(browser, answer)).toBe('/?sso=stale');
    }
  });
});

describe('a provider that is', () => {
  const documentPath = '/.well-known/openid-configuration';

  test('down leads to a page that says so, also where a session began', async () => {
    overrideEnv({ OIDC_ISSUER: 'http://127.0.0.1:1' });
    expect(await new Browser(call).open('/api/auth/oidc/start')).toBe('/sign-in?error=sso_provider');
    const browser = new Browser(call).take(await sessionCookieOf(identity));
    expect((await browser.mutate('singleSignOn.connect', { returnTo: '/' })).status).toBe(503);
  });

  test.each<[string, string, Parameters<HostileProvider['answers']['set']>[1]]>([
    ['answering garbage', documentPath, (_, response) => response.end('<html>')],
    ['failing', documentPath, (_, response) => response.writeHead(500).end()],
    ['redirecting', documentPath, (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    [
      'endless',
      documentPath,
      (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('x'.repeat(300_000)),
    ],
    [
      'another person',
      documentPath,
      (_, response) => response.setHeader('content-type', 'application/json').end('{"issuer":"https://other.example"}'),
    ],
    ['cut off', documentPath, (request) => request.socket.destroy()],
  ])('%s while it is discovered', async (_, path, answer) => {
    provider.answers.set(path, answer);
    expect(await new Browser(call).open('/api/auth/oidc/start')).toBe('/sign-in?error=sso_provider');
  });

  test.each<[string, string, Parameters<HostileProvider['answers']['set']>[1]]>([
    ['garbage for a token', '/token', (_, response) => response.setHeader('content-type', 'application/json').end('{')],
    [
      'an error for a token',
      '/token',
      (_, response) => response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}'),
    ],
    [
      'an endless token',
      '/token',
      (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('x'.repeat(300_000)),
    ],
    ['no keys', '/jwks', (_, response) => response.writeHead(404).end()],
  ])('sending %s', async (_, path, answer) => {
    provider.answers.set(path, answer);
    expect(await attempt()).toMatch(/^\/sign-in\?error=sso_(provider|token)$/);
    expect(await sessions()).toBe(0);
  });

  test('silent is waited for a few seconds, once for all', async () => {
    provider.answers.set(documentPath, () => undefined);
    const began = performance.now();
    const ends = await Promise.all(Array.from({ length: 5 }, () => new Browser(call).open('/api/auth/oidc/start')));
    expect(new Set(ends)).toEqual(new Set(['/sign-in?error=sso_provider']));
    expect(performance.now() - began).toBeLessThan(providerTimeout + within(0.5));
    expect(provider.requests).toHaveLength(1);
  });

  test('leading to this machine or the internal network is not followed', async () => {
    provider.answers.set(documentPath, (_, response) => {
      const document = {
        issuer: provider.issuer,
        authorization_endpoint: `${provider.issuer}/authorize`,
        token_endpoint: 'http://169.254.169.254/latest/meta-data',
        jwks_uri: `${provider.issuer}/jwks`,
      };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
    });
    expect(await attempt()).toBe('/sign-in?error=sso_provider');
  });
});

test('the security log says why, and holds no code, token or state', async () => {
  const address = '192.0.2.77';
  const browser = new Browser(call, address);
  Object.assign(provider.claims, { nonce: 'another' });
  await attempt(browser);
  await browser.open('/api/auth/oidc/callback?code=secret-code&state=secret-state');
  await flushSecurityLog();
  const { rows } = await pool().query('SELECT * FROM security_events WHERE address = $1 ORDER BY reason', [address]);
  expect(rows.map(({ kind, reason }) => [kind, reason])).toEqual([
    ['sign_in_failed', 'sso_nonce'],
    ['sign_in_failed', 'sso_state'],
  ]);
  expect(JSON.stringify(rows)).not.toContain('secret-');
});

test('one network can’t begin without end', async () => {
  const browser = new Browser(call, '192.0.2.99');
  await browser.open('/api/auth/oidc/start');
  await pool().query(`UPDATE sign_in_throttle SET points = 300 WHERE key LIKE 'sso-start:%'`);
  expect(await browser.open('/api/auth/oidc/start?callbackUrl=/customers')).toBe(
    '/sign-in?error=sso_throttled&callbackUrl=%2Fcustomers',
  );
});
