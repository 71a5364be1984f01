import { describe, expect, test } from 'vitest';
import { prisma } from '@/server/platform/db/prisma';
import { overrideEnv } from '@/server/platform/env';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { withHttpServer } from '@/server/testing/rest';
import { Browser, withProvider } from '@/server/testing/single-sign-on';
import { invite, revokeInvitation } from '../team/invitation.service';
import { setPasswordByEmail, signIn } from './account.service';

/** People who join by single sign-on: with OIDC_AUTO_JOIN, or by an invitation. */

withFreshDatabase();
const call = withHttpServer();
const { person, newPerson, goAndReturn, signInThere, connect } = withProvider(call);

describe('joining by single sign-on', () => {
  const autoJoin = (handle: string, role: 'viewer' | 'member' | 'admin' = 'member') =>
    overrideEnv({ OIDC_AUTO_JOIN: { handle, role }, OIDC_ALLOWED_DOMAINS: ['quark.example'] });

  test('gives an account without a password in the business of the setting, with its role', async () => {
    const team = await createTestIdentity();
    autoJoin(team.handle, 'viewer');
    newPerson();
    const { email } = person();
    const browser = new Browser(call);
    expect(await signInThere(browser)).toBe('/customers');
    const answer = await call('GET', '/api/trpc/account.get?input=%7B%7D', { headers: { cookie: browser.header() } });
    expect(answer.body).toMatchObject({
      result: { data: { user: { email, isEmailVerified: true }, identities: [{ id: team.identityId, role: 'viewer' }] } },
    });
    // Once: the next time it is their account.
    expect(await signInThere(new Browser(call))).toBe('/customers');
    expect(await prisma().user.count({ where: { email } })).toBe(1);
    // Without a password, none signs in or confirms, and single sign-on stays.
    expect(await signIn(email, '', '198.51.100.2')).toEqual({ refused: 'credentials' });
    const fields = { currentPassword: expect.stringContaining('never been set') };
    const refused = await browser.mutate('account.confirm', { currentPassword: 'anything' });
    expect(refused).toMatchObject({ status: 400, data: { data: { details: { fields } } } });
    expect((await browser.mutate('singleSignOn.disconnect', {})).status).toBeGreaterThanOrEqual(403);
    expect(await setPasswordByEmail({ email, password: 'another long password' })).toHaveProperty('userId');
    expect(await signIn(email, 'another long password', '198.51.100.2')).toHaveProperty('user');
  });

  test('is for verified addresses of allowed domains, and never for an address that has an account', async () => {
    const team = await createTestIdentity();
    autoJoin(team.handle);
    const members = () => prisma().membership.count({ where: { identityId: team.identityId } });
    newPerson();
    person().email_verified = false;
    expect(await signInThere(new Browser(call))).toMatch('error=sso_domain');
    newPerson('ann@elsewhere.example');
    expect(await signInThere(new Browser(call))).toMatch('error=sso_domain');
    const known = await createTestIdentity({ ownerEmail: `${newPerson()}@quark.example` });
    expect(await signInThere(new Browser(call))).toMatch('error=sso_not_linked');
    expect(await prisma().oidcAccount.count({ where: { userId: known.owner.userId } })).toBe(0);
    expect(await members()).toBe(1);
  });

  test('leaves nothing behind where there is no such business', async () => {
    autoJoin('no-such-business');
    newPerson();
    expect(await signInThere(new Browser(call))).toMatch('error=sso_join');
    expect(await prisma().user.count({ where: { email: person().email } })).toBe(0);
  });
});

describe('joining by an invitation', () => {
  interface Invited {
    id: string;
    token: string;
  }

  /** Without SMTP_URL, the link is handed over. */
  async function inviteTo(team: TestIdentity, email: string): Promise<Invited> {
    const { id, url } = await invite(team.actor, { email, role: 'member' });
    return { id, token: url?.split('#')[1] ?? '' };
  }

  /** Continues with the provider from the page of the invitation. @returns where it ends */
  async function joinThere(browser: Browser, token: string): Promise<string> {
    const { status, data } = await browser.mutate('singleSignOn.join', { token });
    expect(status).toBe(200);
    browser.page = String(data.url);
    expect(browser.page).not.toContain(token);
    return goAndReturn(browser);
  }

  const page = (token: string, reason: string) => `/invitation?signed-in=1&sso=${reason}#${token}`;
  const accountsOf = (email: string) => prisma().user.count({ where: { email } });

  test('takes the person that the provider knows by the invited address, where passwords are off and joining needs an invitation', async () => {
    overrideEnv({ PASSWORD_SIGN_IN: 'off' });
    const team = await createTestIdentity();
    newPerson();
    const { email } = person();
    const { token } = await inviteTo(team, email);
    const browser = new Browser(call);
    expect(await joinThere(browser, token)).toBe('/');
    const answer = await call('GET', '/api/trpc/account.get?input=%7B%7D', { headers: { cookie: browser.header() } });
    expect(answer.body).toMatchObject({
      result: {
        data: {
          user: { email, isEmailVerified: true },
          identityId: team.identityId,
          identities: [{ id: team.identityId, role: 'member' }],
        },
      },
    });
    // Once: the link is used up, and the next time it is their account.
    expect(await prisma().invitation.count({ where: { identityId: team.identityId } })).toBe(0);
    expect(await signInThere(new Browser(call))).toBe('/customers');
  });

  test('is for the invited address only, and only if the provider has verified it', async () => {
    const team = await createTestIdentity();
    newPerson();
    const { email } = person();
    const { token } = await inviteTo(team, email);
    person().email_verified = false;
    expect(await joinThere(new Browser(call), token)).toBe(page(token, 'unverified'));
    newPerson();
    const other = person().email;
    expect(await joinThere(new Browser(call), token)).toBe(page(token, 'invitation_other'));
    expect([await accountsOf(email), await accountsOf(other)]).toEqual([0, 0]);
    expect(await prisma().invitation.count({ where: { identityId: team.identityId } })).toBe(1);
  });

  test('never takes over an account with the invited address', async () => {
    const team = await createTestIdentity();
    const known = await createTestIdentity();
    newPerson(known.owner.email);
    const { token } = await inviteTo(team, known.owner.email);
    const browser = new Browser(call);
    expect(await joinThere(browser, token)).toBe(page(token, 'not_linked'));
    expect(browser.isSignedIn).toBe(false);
    expect(await prisma().oidcAccount.count({ where: { userId: known.owner.userId } })).toBe(0);
  });

  test('signs an account in that is connected already, which then accepts for itself', async () => {
    const [team, own] = [await createTestIdentity(), await createTestIdentity()];
    newPerson();
    await connect(own);
    const { token } = await inviteTo(team, own.owner.email);
    const browser = new Browser(call);
    expect(await joinThere(browser, token)).toBe(`/invitation?signed-in=1#${token}`);
    expect(browser.isSignedIn).toBe(true);
    expect(await prisma().membership.count({ where: { identityId: team.identityId } })).toBe(1);
    expect((await browser.mutate('invitations.accept', { token })).status).toBe(200);
  });

  test('ends with the invitation, and leaves no account behind', async () => {
    const team = await createTestIdentity();
    newPerson();
    const { email } = person();
    const { id, token } = await inviteTo(team, email);
    await revokeInvitation(team.actor, id);
    expect(await joinThere(new Browser(call), token)).toBe(page(token, 'invitation_over'));
    expect(await joinThere(new Browser(call), 'no-such-link')).toBe(page('no-such-link', 'invitation_over'));
    expect(await accountsOf(email)).toBe(0);
  });

  test('needs a provider', async () => {
    overrideEnv({ OIDC_ISSUER: undefined, OIDC_CLIENT_ID: undefined, OIDC_CLIENT_SECRET: undefined });
    expect((await new Browser(call).mutate('singleSignOn.join', { token: 'x' })).status).toBe(409);
  });
});
