import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { rememberedBrowserId } from '@/server/platform/auth/remembered-browser';
import { flushSecurityLog } from '@/server/platform/auth/security-log';
import { countSignIn, countSignInAttempt } from '@/server/platform/auth/sign-in-throttle';
import { pool } from '@/server/platform/db/pool';
import { overrideEnv } from '@/server/platform/env';
import { callerAs } from '@/server/testing/caller';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { withHttpServer } from '@/server/testing/rest';
import { appCode, turnOnTwoFactor } from '@/server/testing/two-factor';

/** Signing in as browsers do, and the lifetime of sessions. Throttling rules are tested with the service. */

const publicUrl = 'https://desk.example.com';

withFreshDatabase({ PUBLIC_URL: publicUrl });
const call = withHttpServer();

beforeEach(() => {
  overrideEnv({ PUBLIC_URL: publicUrl });
  vi.stubEnv('NEXTAUTH_URL', publicUrl);
});

interface AuthAnswer {
  status: number;
  /** As in `Set-Cookie`. */
  cookies: string[];
  body: Record<string, string>;
}

interface AuthRequest {
  body?: Record<string, string>;
  /** By name. */
  cookies?: Record<string, string>;
  address?: string;
}

async function auth(
  method: string,
  action: string,
  { body, cookies = {}, address = '192.0.2.1' }: AuthRequest = {},
): Promise<AuthAnswer> {
  const pairs = Object.entries(cookies).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const answer = await call(method, `/api/auth/${action}`, {
    headers: {
      host: 'desk.example.com',
      'x-forwarded-for': address,
      cookie: pairs.join('; '),
      'content-type': 'application/x-www-form-urlencoded',
    },
    ...(method === 'POST' ? { body: new URLSearchParams({ ...body, json: 'true' }).toString() } : {}),
  });
  return { status: answer.status, cookies: answer.cookies, body: (answer.body ?? {}) as Record<string, string> };
}

/** Names and values of `Set-Cookie` headers. */
function kept(cookies: string[]): Record<string, string> {
  return Object.fromEntries(
    cookies.map((cookie) => (cookie.split(';')[0] ?? '').split(/=(.*)/s).slice(0, 2).map(decodeURIComponent)),
  );
}

async function signIn(
  email: string,
  password: string,
  address?: string,
  code?: string,
  cookies?: Record<string, string>,
): Promise<AuthAnswer> {
  const csrf = await auth('GET', 'csrf');
  const body = { email, password, csrfToken: csrf.body.csrfToken ?? '', ...(code === undefined ? {} : { code }) };
  const sent = { ...cookies, ...kept(csrf.cookies) };
  return auth('POST', 'callback/credentials', { body, cookies: sent, ...(address ? { address } : {}) });
}

const sessionOf = ({ cookies }: AuthAnswer) => cookies.find((cookie) => /^(__Host-)?frontdesk\.session=[^;]/.test(cookie));
const freshAddress = () => `2001:db8::${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}`;

const origin = { host: 'desk.example.com', origin: publicUrl, 'sec-fetch-site': 'same-origin' };
const pair = (cookie = '') => cookie.split(';')[0] ?? '';
const accountWith = (cookie: string | undefined) =>
  call('GET', '/api/trpc/account.get?input={}', { headers: { ...origin, cookie: pair(cookie) } });

async function signedIn({ owner }: TestIdentity): Promise<string> {
  const cookie = sessionOf(await signIn(owner.email, owner.password));
  if (!cookie) throw new Error('no session');
  return cookie;
}

describe('cookies', () => {
  test('with https never travel without it, nor to another host of the domain', async () => {
    const identity = await createTestIdentity();
    const answer = await signIn(identity.owner.email, identity.owner.password);
    const own = [...answer.cookies, ...(await auth('GET', 'csrf')).cookies];
    expect(sessionOf(answer)).toMatch(/^__Host-frontdesk\.session=/);
    for (const cookie of own) {
      expect(cookie).toMatch(/^__Host-frontdesk\./);
      expect(cookie).toMatch(/; HttpOnly(;|$)/);
      expect(cookie).toMatch(/; Secure(;|$)/);
      expect(cookie).toMatch(/; SameSite=Lax(;|$)/i);
      expect(cookie).toMatch(/; Path=\/(;|$)/);
      expect(cookie).not.toMatch(/; Domain=/i);
    }
  });

  test('with http are the same but for that, so that they are kept at all', async () => {
    overrideEnv({ PUBLIC_URL: 'http://desk.internal' });
    vi.stubEnv('NEXTAUTH_URL', 'http://desk.internal');
    const identity = await createTestIdentity();
    const answer = await signIn(identity.owner.email, identity.owner.password);
    expect(sessionOf(answer)).toMatch(/^frontdesk\.session=/);
    for (const cookie of answer.cookies) {
      expect(cookie).toMatch(/; HttpOnly(;|$)/);
      expect(cookie).toMatch(/; SameSite=Lax(;|$)/i);
      expect(cookie).not.toMatch(/; Secure/);
    }
  });
});

describe('signing in', () => {
  test('needs the token that only a page of ours could read', async () => {
    const { owner } = await createTestIdentity();
    const csrf = await auth('GET', 'csrf');
    const credentials = { email: owner.email, password: owner.password };
    const forged = [
      { body: credentials },
      { body: { ...credentials, csrfToken: csrf.body.csrfToken ?? '' } },
      { body: { ...credentials, csrfToken: 'x'.repeat(64) }, cookies: kept(csrf.cookies) },
    ];
    for (const request of forged) expect(sessionOf(await auth('POST', 'callback/credentials', request))).toBeUndefined();
    expect(await auth('GET', `callback/credentials?${new URLSearchParams(credentials)}`)).toMatchObject({
      status: 405,
      cookies: [],
    });
    expect(sessionOf(await signIn(owner.email, owner.password))).toBeDefined();
  });

  test('says the same of a wrong password, an unknown account and what is no address', async () => {
    const { owner } = await createTestIdentity();
    const seen = [];
    for (const email of [owner.email, 'nobody@nowhere.example', 'nonsense', '']) {
      const { status, body, cookies } = await signIn(email, 'not the password', freshAddress());
      seen.push({ status, body, names: Object.keys(kept(cookies)) });
    }
    expect(seen[0]?.body.url).toContain('error=CredentialsSignin');
    for (const each of seen) expect(each).toEqual(seen[0]);
  });

  test('too often says so alike for an account that exists and one that does not, and lets nobody in', async () => {
    const { owner } = await createTestIdentity();
    for (const email of [owner.email, `nobody-${randomBytes(3).toString('hex')}@nowhere.example`]) {
      const address = freshAddress();
      for (let i = 0; i < 10; i++)
        expect((await signIn(email, 'not the password', address)).body.url).toContain('CredentialsSignin');
      const answer = await signIn(email, owner.password, address);
      expect(sessionOf(answer)).toBeUndefined();
      expect(decodeURIComponent(answer.body.url ?? '')).toMatch(/error=throttled:\d+/);
    }
  });

  test('that succeeds is limited for an account as well, from wherever it comes, and for no other account', async () => {
    const [busy, other] = [await createTestIdentity(), await createTestIdentity()];
    const first = kept((await signIn(busy.owner.email, busy.owner.password, freshAddress())).cookies);
    const remembered = { '__Host-frontdesk.browser': first['__Host-frontdesk.browser'] ?? '' };
    for (let i = 1; i < 30; i++) await countSignIn(busy.owner.userId, null);
    const answer = await signIn(busy.owner.email, busy.owner.password, freshAddress());
    expect(sessionOf(answer)).toBeUndefined();
    expect(decodeURIComponent(answer.body.url ?? '')).toMatch(/error=throttled:\d+/);
    // Who has learnt the password does not keep its owner out.
    expect(sessionOf(await signIn(busy.owner.email, busy.owner.password, freshAddress(), undefined, remembered))).toBeDefined();
    const browserId = rememberedBrowserId(
      Object.entries(remembered)
        .map((cookie) => cookie.join('='))
        .join('; '),
      busy.owner.userId,
    );
    for (let i = 1; i < 30; i++) await countSignIn(busy.owner.userId, browserId);
    expect(sessionOf(await signIn(busy.owner.email, busy.owner.password, freshAddress(), undefined, remembered))).toBeUndefined();
    expect(sessionOf(await signIn(other.owner.email, other.owner.password, freshAddress()))).toBeDefined();
    await flushSecurityLog();
    const { rows } = await pool().query('SELECT reason FROM security_events WHERE user_id = $1', [busy.owner.userId]);
    expect(rows).toContainEqual({ reason: 'too_many_sign_ins' });
  });

  test('of a browser that has signed in before goes on while strangers are locked out, and gives it another id', async () => {
    const { owner } = await createTestIdentity();
    const first = kept((await signIn(owner.email, owner.password, freshAddress())).cookies);
    const remembered = { '__Host-frontdesk.browser': first['__Host-frontdesk.browser'] ?? '' };
    for (let i = 0; i < 105; i++) await countSignInAttempt(owner.email, `2001:db8:7:${i}::1`);
    const stranger = await signIn(owner.email, owner.password, freshAddress());
    expect(sessionOf(stranger)).toBeUndefined();
    expect(Object.keys(kept(stranger.cookies))).not.toContain('__Host-frontdesk.browser');
    const own = await signIn(owner.email, owner.password, freshAddress(), undefined, remembered);
    expect(sessionOf(own)).toBeDefined();
    const renewed = kept(own.cookies)['__Host-frontdesk.browser'];
    expect(renewed).toMatch(/^[\w-]+\.[\w-]+$/);
    expect(renewed).not.toBe(remembered['__Host-frontdesk.browser']);
    // It grants no access.
    expect((await accountWith(`__Host-frontdesk.browser=${renewed}`)).status).toBe(401);
  });

  test('leads to no other site', async () => {
    const { owner } = await createTestIdentity();
    const csrf = await auth('GET', 'csrf');
    for (const callbackUrl of [
      'https://evil.example/',
      '//evil.example',
      'javascript:alert(1)',
      'https://desk.example.com.evil.example/',
    ]) {
      const body = { email: owner.email, password: owner.password, csrfToken: csrf.body.csrfToken ?? '', callbackUrl };
      const answer = await auth('POST', 'callback/credentials', { body, cookies: kept(csrf.cookies) });
      expect(new URL(answer.body.url ?? '').origin).toBe(publicUrl);
    }
  });
});

describe('signing in with a second factor', () => {
  const refusalOf = ({ body }: AuthAnswer) => new URL(body.url ?? '').searchParams.get('error');

  test('gives no session before the code, and says of codes only to who knows the password', async () => {
    const identity = await createTestIdentity();
    const { email, password } = identity.owner;
    const { secret, recoveryCodes } = await turnOnTwoFactor(identity.actor);
    const attempts = [
      [password, undefined, 'second_factor:app'],
      [password, '', 'second_factor:app'],
      [password, 'nonsense', 'code:wrong'],
      ['not the password', undefined, 'CredentialsSignin'],
      ['not the password', appCode(secret), 'CredentialsSignin'],
      ['not the password', recoveryCodes[0], 'CredentialsSignin'],
    ] as const;
    for (const [tried, code, refusal] of attempts) {
      const answer = await signIn(email, tried, freshAddress(), code);
      expect(sessionOf(answer)).toBeUndefined();
      expect([refusalOf(answer), answer.status]).toEqual([refusal, 401]);
    }
    const used = appCode(secret);
    const answer = await signIn(email, password, freshAddress(), used);
    expect((await accountWith(sessionOf(answer))).status).toBe(200);
    expect(refusalOf(await signIn(email, password, freshAddress(), used))).toBe('code:used');
    expect(sessionOf(await signIn(email, password, freshAddress(), recoveryCodes[0]))).toBeDefined();
  });

  test('fails clearly after AUTH_SECRET has changed', async () => {
    const identity = await createTestIdentity();
    const { secret } = await turnOnTwoFactor(identity.actor);
    overrideEnv({ AUTH_SECRET: 'y'.repeat(32) });
    const answer = await signIn(identity.owner.email, identity.owner.password, freshAddress(), appCode(secret));
    overrideEnv({ AUTH_SECRET: 'x'.repeat(32) });
    expect([answer.status, refusalOf(answer)]).toEqual([401, 'code:unreadable']);
  });
});

test('a browser that signs in with an account for the first time is mailed to its owner, and the same one again is not', async () => {
  overrideEnv({ SMTP_URL: 'smtp://127.0.0.1:1' });
  const { owner } = await createTestIdentity();
  const first = kept((await signIn(owner.email, owner.password)).cookies);
  const notices = async () => {
    const { rows } = await pool().query(
      `SELECT count(*)::int AS count FROM outbox_mails WHERE kind = 'new_browser' AND recipients = ARRAY[$1]`,
      [owner.email],
    );
    return rows[0].count;
  };
  expect(await notices()).toBe(0);
  const again = kept((await signIn(owner.email, owner.password, undefined, undefined, first)).cookies);
  expect(await notices()).toBe(0);
  await signIn(owner.email, owner.password);
  expect(await notices()).toBe(1);
  await signIn(owner.email, owner.password, undefined, undefined, again);
  expect(await notices()).toBe(1);
  overrideEnv({ SMTP_URL: undefined });
});

describe('a session', () => {
  test('ends when the password changes, everywhere but where it was changed', async () => {
    const identity = await createTestIdentity();
    const { owner } = identity;
    const [here, elsewhere] = [await signedIn(identity), await signedIn(identity)];
    const json = { currentPassword: owner.password, newPassword: 'another long password' };
    const changed = await call('POST', '/api/trpc/account.changePassword', { headers: { ...origin, cookie: pair(here) }, json });
    expect(changed.status).toBe(200);
    expect((await accountWith(elsewhere)).status).toBe(401);
    expect((await accountWith(here)).status).toBe(401);
    const renewed = changed.headers['set-cookie'];
    expect(renewed).toMatch(/; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure/);
    expect((await accountWith(renewed)).status).toBe(200);
    expect(sessionOf(await signIn(owner.email, owner.password, freshAddress()))).toBeUndefined();
  });

  test('ends with signing out, also for who copied the cookie', async () => {
    const identity = await createTestIdentity();
    const cookie = await signedIn(identity);
    expect((await accountWith(cookie)).status).toBe(200);
    const csrf = await auth('GET', 'csrf');
    const cookies = { ...kept(csrf.cookies), ...kept([pair(cookie)]) };
    await auth('POST', 'signout', { body: { csrfToken: 'x' }, cookies });
    expect((await accountWith(cookie)).status).toBe(200);
    await auth('POST', 'signout', { body: { csrfToken: csrf.body.csrfToken ?? '' }, cookies });
    expect((await accountWith(cookie)).status).toBe(401);
  });

  test('of one installation is worth nothing at another, nor as an API key', async () => {
    const identity = await createTestIdentity();
    const cookie = await signedIn(identity);
    const [, token = ''] = pair(cookie).split('=');
    expect((await call('GET', '/api/v1/identity', { key: token })).status).toBe(401);
    overrideEnv({ AUTH_SECRET: 'y'.repeat(32) });
    expect((await accountWith(cookie)).status).toBe(401);
    overrideEnv({ AUTH_SECRET: 'x'.repeat(32) });
    expect((await accountWith(cookie)).status).toBe(200);
  });
});

test('setting up tells nobody without its link who is here already', async () => {
  const { owner, handle } = await createTestIdentity();
  const { setup } = callerAs(null);
  const input = { token: 'no such link', password: 'a long password', displayName: 'Mine' };
  const refusals = [];
  for (const [email, wanted] of [
    [owner.email, handle],
    ['nobody@nowhere.example', 'nobody-here'],
  ] as const) {
    refusals.push(await setup.complete({ ...input, email, handle: wanted }).catch((error: Error) => [error.name, error.message]));
  }
  expect(refusals[0]).toEqual(refusals[1]);
  expect(await setup.status({ token: 'no such link' })).toEqual({ needed: false, valid: false });
});
