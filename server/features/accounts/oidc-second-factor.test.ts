import { describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { prisma } from '@/server/platform/db/prisma';
import { overrideEnv, publicUrl } from '@/server/platform/env';
import { SoftwareAuthenticator } from '@/server/testing/authenticator';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { ProviderBrowser } from '@/server/testing/oidc-provider';
import { addTo, withPasskey } from '@/server/testing/passkeys';
import { withHttpServer } from '@/server/testing/rest';
import { Browser, withProvider } from '@/server/testing/single-sign-on';
import { appCode, turnOnTwoFactor } from '@/server/testing/two-factor';
import { setPasswordByEmail, signIn } from './account.service';
import { beginPasskeySignIn } from './passkey-sign-in.service';

/** Single sign-on of accounts with a second factor, confirming at the provider, and passwords that are off. */

withFreshDatabase({ SMTP_URL: 'smtp://127.0.0.1:1' });
const call = withHttpServer();
const { newPerson, signedIn, goAndReturn, signInThere, connect } = withProvider(call);

describe('with two-factor sign-in', () => {
  test('a code is asked for, which a recovery code can replace', async () => {
    const identity = await createTestIdentity();
    newPerson();
    await connect(identity);
    const { secret, recoveryCodes } = await turnOnTwoFactor(identity.actor);
    const browser = new Browser(call);
    expect(await signInThere(browser)).toBe('/sign-in?step=code&callbackUrl=%2Fcustomers');
    expect(browser.isSignedIn).toBe(false);
    expect(await browser.mutate('singleSignOn.enterCode', { code: '000000' })).toMatchObject({ status: 400 });
    expect(await browser.mutate('singleSignOn.enterCode', { code: appCode(secret) })).toMatchObject({ status: 200 });
    expect(browser.isSignedIn).toBe(true);
    const second = new Browser(call);
    await signInThere(second);
    expect((await second.mutate('singleSignOn.enterCode', { code: recoveryCodes[0] ?? '' })).status).toBe(200);
    // Without the first step, or after the account has changed, a code is worth nothing.
    expect((await new Browser(call).mutate('singleSignOn.enterCode', { code: recoveryCodes[1] ?? '' })).status).toBe(409);
    const third = new Browser(call);
    await signInThere(third);
    await setPasswordByEmail({ email: identity.owner.email, password: 'another long password' });
    expect((await third.mutate('singleSignOn.enterCode', { code: recoveryCodes[2] ?? '' })).status).toBe(409);
  });

  test('a passkey finishes, for an account that has no app', async () => {
    const identity = await createTestIdentity();
    newPerson();
    await connect(identity);
    const device = new SoftwareAuthenticator(publicUrl());
    await addTo(identity.actor, device);
    const browser = new Browser(call);
    expect(await signInThere(browser)).toBe('/sign-in?step=code&methods=passkey&callbackUrl=%2Fcustomers');
    expect(browser.isSignedIn).toBe(false);
    const finish = async (by: SoftwareAuthenticator, lies = {}) =>
      browser.mutate('singleSignOn.enterCode', { passkey: by.answer(await beginPasskeySignIn(), lies) });
    // Neither one of another account, nor one that was not unlocked.
    const other = await withPasskey();
    const refused = { status: 400, data: { data: { details: { fields: { passkey: expect.any(String) } } } } };
    expect(await finish(other.device)).toMatchObject(refused);
    expect(await finish(device, { origin: 'https://evil.example' })).toMatchObject(refused);
    expect(await browser.mutate('singleSignOn.enterCode', {})).toMatchObject({
      ...{ status: 400, data: { data: { details: { fields: { code: 'is needed' } } } } },
    });
    expect(browser.isSignedIn).toBe(false);
    expect(await finish(device)).toMatchObject({ status: 200 });
    expect(browser.isSignedIn).toBe(true);
  });
});

describe('confirming at the provider', () => {
  const makeStale = (identity: TestIdentity) =>
    pool().query(`UPDATE sessions SET confirmed_at = now() - interval '1 hour' WHERE user_id = $1`, [identity.owner.userId]);

  test('makes the session fresh, after a new sign-in there', async () => {
    const identity = await createTestIdentity();
    newPerson();
    const browser = await connect(identity);
    await makeStale(identity);
    expect((await browser.mutate('singleSignOn.disconnect', {})).data).toMatchObject({
      data: { code: 'fresh_sign_in_required' },
    });
    browser.page = String((await browser.mutate('singleSignOn.confirm', { returnTo: '/customers?page=2' })).data.url);
    expect(new URL(browser.page).searchParams.get('prompt')).toBe('login');
    expect(await goAndReturn(browser)).toBe('/customers?page=2&sso=done_confirm');
    expect((await browser.mutate('singleSignOn.disconnect', {})).status).toBe(200);
  });

  test('needs the connected account, this session, and the code of two-factor sign-in', async () => {
    const identity = await createTestIdentity();
    newPerson();
    const browser = await connect(identity);
    await makeStale(identity);
    const begin = async (code?: string) => browser.mutate('singleSignOn.confirm', { returnTo: '/', ...(code ? { code } : {}) });
    browser.page = String((await begin()).data.url);
    newPerson();
    expect(await goAndReturn(browser)).toBe('/?sso=other_account');
    const stranger = await signedIn(await createTestIdentity());
    const url = String((await begin()).data.url);
    stranger.take(`frontdesk.sso=${browser.cookies.get('frontdesk.sso')}`);
    expect(await stranger.open(await new ProviderBrowser().visit(url))).toBe('/?sso=session');
    const { secret, cookie } = await turnOnTwoFactor(identity.actor);
    browser.take(cookie);
    expect(await begin()).toMatchObject({ status: 400, data: { data: { details: { fields: { code: 'is needed' } } } } });
    expect((await begin(appCode(secret))).status).toBe(200);
    // An account that is not connected has nothing to confirm with.
    expect((await stranger.mutate('singleSignOn.confirm', { returnTo: '/' })).status).toBe(409);
  });
});

describe('where passwords do not sign in', () => {
  test('an owner’s does with a recovery code, which says nothing of other accounts', async () => {
    const identity = await createTestIdentity();
    const { email, password } = identity.owner;
    const { secret, recoveryCodes } = await turnOnTwoFactor(identity.actor);
    const plain = await createTestIdentity();
    overrideEnv({ PASSWORD_SIGN_IN: 'off' });
    const attempt = (mail: string, code?: string) => signIn(mail, password, '198.51.100.1', code);
    for (const mail of [email, 'nobody@nowhere.example']) {
      expect(await attempt(mail)).toEqual({ refused: 'password_off' });
      expect(await attempt(mail, appCode(secret))).toEqual({ refused: 'password_off' });
    }
    expect(await attempt(email, recoveryCodes[0])).toHaveProperty('user');
    expect(await attempt(email, recoveryCodes[0])).toEqual({ refused: 'code', reason: 'wrong' });
    // An owner without two-factor sign-in has no codes; anything that looks like one is no way in.
    expect(await attempt(plain.owner.email, recoveryCodes[1])).toEqual({ refused: 'password_off' });
    const { identityId } = identity;
    await prisma().identity.update({ where: { id: identityId }, data: { ownerUserId: plain.owner.userId } });
    await prisma().membership.updateMany({ where: { identityId, user: { email } }, data: { role: 'admin' } });
    expect(await attempt(email, recoveryCodes[1])).toEqual({ refused: 'password_off' });
  });
});
