import { describe, expect, test } from 'vitest';
import { listAuditInput } from '@/server/features/audit/audit.schema';
import { listAudit } from '@/server/features/audit/audit.service';
import { prisma } from '@/server/platform/db/prisma';
import { overrideEnv } from '@/server/platform/env';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { ProviderBrowser } from '@/server/testing/oidc-provider';
import { withHttpServer } from '@/server/testing/rest';
import { Browser, mailsTo, withProvider } from '@/server/testing/single-sign-on';
import { turnOnTwoFactor } from '@/server/testing/two-factor';
import { setPasswordByEmail } from './account.service';

/**
 * Single sign-on with a real provider: connecting and signing in. Joining and second factors have files of their own; forged answers
 * are in oidc-hostile.test.ts.
 */

withFreshDatabase({ SMTP_URL: 'smtp://127.0.0.1:1' });
const call = withHttpServer();
const { person, issuer, newPerson, signedIn, goAndReturn, signInThere, connect } = withProvider(call);

describe('an account that is connected', () => {
  test('is signed in to by issuer and subject, whatever its email at the provider is', async () => {
    const identity = await createTestIdentity();
    const sub = newPerson();
    await connect(identity);
    expect(await mailsTo(identity.owner.email)).toContain('Single sign-on was connected');
    Object.assign(person(), { email: 'renamed@elsewhere.example', email_verified: false });

    const browser = new Browser(call);
    expect(await signInThere(browser, '/customers?tag=vip')).toBe('/customers?tag=vip');
    expect(browser.isSignedIn).toBe(true);
    expect(browser.cookies.has('frontdesk.browser')).toBe(true);
    expect(browser.cookies.has('frontdesk.sso')).toBe(false);
    const answer = await call('GET', '/api/trpc/account.get?input=%7B%7D', { headers: { cookie: browser.header() } });
    expect(answer.body).toMatchObject({ result: { data: { user: { email: identity.owner.email } } } });
    const [connected] = await prisma().oidcAccount.findMany({ where: { userId: identity.owner.userId } });
    expect(connected).toMatchObject({ issuer: issuer(), subject: sub, email: 'renamed@elsewhere.example' });
    expect(await mailsTo(identity.owner.email)).toContain('A new browser signed in to your account');
  });

  test('has it in its audit log, without a line for each sign-in', async () => {
    const identity = await createTestIdentity();
    newPerson();
    const browser = await connect(identity);
    await signInThere(new Browser(call));
    expect((await browser.mutate('singleSignOn.disconnect', {})).status).toBe(200);
    const { entries } = await listAudit(identity.actor, listAuditInput.parse({ resource: 'oidc_account' }));
    expect(entries.map(({ action, label }) => [action, label])).toEqual([
      ['deleted', person().email],
      ['created', person().email],
    ]);
  });

  test('can be disconnected, which ends its other sessions, and then is not signed in to', async () => {
    const identity = await createTestIdentity();
    newPerson();
    const browser = await connect(identity);
    const elsewhere = new Browser(call);
    await signInThere(elsewhere);
    expect((await browser.mutate('singleSignOn.disconnect', {})).status).toBe(200);
    expect(await mailsTo(identity.owner.email)).toContain('Single sign-on was disconnected');
    const accountOf = async (each: Browser) =>
      (await call('GET', '/api/trpc/account.get?input=%7B%7D', { headers: { cookie: each.header() } })).status;
    expect([await accountOf(browser), await accountOf(elsewhere)]).toEqual([200, 401]);
    expect((await browser.mutate('singleSignOn.disconnect', {})).status).toBe(409);
    expect(await signInThere(new Browser(call))).toMatch(/^\/sign-in\?error=sso_invitation/);
  });

  test('stays connected if the account has no other way to sign in', async () => {
    const identity = await createTestIdentity();
    newPerson();
    const browser = await connect(identity);
    await prisma().user.update({ where: { id: identity.owner.userId }, data: { passwordHash: null } });
    const refused = await browser.mutate('singleSignOn.disconnect', {});
    expect(refused).toMatchObject({ status: 409, data: { message: expect.stringContaining('Set a password first') } });
    await setPasswordByEmail({ email: identity.owner.email, password: 'another long password' });
    overrideEnv({ PASSWORD_SIGN_IN: 'off' });
    const again = new Browser(call);
    await signInThere(again);
    expect((await again.mutate('singleSignOn.disconnect', {})).status).toBe(409);
    await turnOnTwoFactor({ ...identity.actor });
  });

  test('is not connected a second time, nor to two accounts', async () => {
    const [first, second] = [await createTestIdentity(), await createTestIdentity()];
    newPerson();
    await connect(first);
    await connect(first);
    const other = await signedIn(second);
    other.page = String((await other.mutate('singleSignOn.connect', { returnTo: '/settings/security' })).data.url);
    expect(await goAndReturn(other)).toBe('/settings/security?sso=taken');
    newPerson();
    const browser = await signedIn(first);
    browser.page = String((await browser.mutate('singleSignOn.connect', { returnTo: '/settings/security' })).data.url);
    expect(await goAndReturn(browser)).toBe('/settings/security?sso=connected');
    expect(await prisma().oidcAccount.count({ where: { userId: second.owner.userId } })).toBe(0);
  });
});

describe('nobody gets in', () => {
  test('by the email of an account', async () => {
    const identity = await createTestIdentity();
    newPerson(identity.owner.email);
    const browser = new Browser(call);
    expect(await signInThere(browser)).toBe('/sign-in?error=sso_not_linked&callbackUrl=%2Fcustomers');
    expect(browser.isSignedIn).toBe(false);
    expect(await prisma().oidcAccount.count({ where: { userId: identity.owner.userId } })).toBe(0);
    // Nor learns, with an address that is not theirs, whether there is one.
    person().email_verified = false;
    expect(await signInThere(browser)).toMatch('error=sso_invitation');
  });

  test('without an account', async () => {
    newPerson();
    const before = await prisma().user.count();
    expect(await signInThere(new Browser(call), '/')).toBe('/sign-in?error=sso_invitation');
    expect(await prisma().user.count()).toBe(before);
  });

  test('from a domain that is not allowed, checked at each sign-in', async () => {
    newPerson();
    await connect(await createTestIdentity());
    overrideEnv({ OIDC_ALLOWED_DOMAINS: ['quark.example'] });
    expect(await signInThere(new Browser(call))).toBe('/customers');
    for (const claims of [
      { email: 'ann@evil.example', email_verified: true },
      { email: 'ann@sub.quark.example', email_verified: true },
      { email: 'ann@quark.example@evil.example', email_verified: true },
      { email: person().email, email_verified: false },
    ]) {
      Object.assign(person(), claims);
      expect(await signInThere(new Browser(call))).toMatch('error=sso_domain');
    }
  });

  test('whose cookies or answers belong to another visit', async () => {
    newPerson();
    await connect(await createTestIdentity());
    const browser = new Browser(call);
    await browser.open('/api/auth/oidc/start');
    const answer = await new ProviderBrowser().visit(browser.page);
    // In another browser, one with a visit of its own included.
    const other = new Browser(call);
    expect(await other.open(answer)).toBe('/sign-in?error=sso_state');
    await other.open('/api/auth/oidc/start');
    expect(await other.open(answer)).toBe('/sign-in?error=sso_state');
    // Once, also with a copy of the cookie.
    const copy = browser.header();
    expect(await browser.open(answer)).toBe('/');
    const thief = new Browser(call);
    for (const pair of copy.split('; ')) thief.take(pair);
    expect(await thief.open(answer)).toBe('/sign-in?error=sso_state');
    expect([browser.isSignedIn, other.isSignedIn, thief.isSignedIn]).toEqual([true, false, false]);
  });

  test('and is led to no other site', async () => {
    newPerson();
    await connect(await createTestIdentity());
    for (const evil of ['https://evil.example/', '//evil.example', '/\\evil.example', '/api/auth/signout']) {
      expect(await signInThere(new Browser(call), evil)).toBe('/');
    }
  });
});

test('without a provider there is nothing', async () => {
  overrideEnv({ OIDC_ISSUER: undefined, OIDC_CLIENT_ID: undefined, OIDC_CLIENT_SECRET: undefined });
  const browser = await signedIn(await createTestIdentity());
  expect(await browser.open('/api/auth/oidc/start')).toBe('404');
  expect(await browser.open('/api/auth/oidc/callback?code=x&state=y')).toBe('404');
  for (const [name, input] of [
    ['connect', { returnTo: '/' }],
    ['confirm', { returnTo: '/' }],
    ['disconnect', {}],
  ] as const) {
    expect((await browser.mutate(`singleSignOn.${name}`, input)).status).toBe(409);
  }
});
