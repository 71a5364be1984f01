import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { flushSecurityLog } from '@/server/platform/auth/security-log';
import { readSession } from '@/server/platform/auth/session';
import { sessionCookie } from '@/server/platform/auth/session-token';
import { pool } from '@/server/platform/db/pool';
import { prisma } from '@/server/platform/db/prisma';
import { overrideEnv } from '@/server/platform/env';
import { accountMailsTo, mailedToken } from '@/server/testing/account-mail';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { listSecurityInput } from '../audit/security.schema';
import { listSecurity } from '../audit/security.service';
import { changePassword, getAccount, setPasswordByEmail, signIn } from './account.service';
import {
  cancelEmailChange,
  confirmEmail,
  readEmailLink,
  requestEmailChange,
  requestEmailProof,
  setEmail,
} from './email-change.service';
import { beginSession } from './session.service';

withFreshDatabase({ SMTP_URL: 'smtp://127.0.0.1:1' });

beforeEach(() => {
  overrideEnv({ SMTP_URL: 'smtp://127.0.0.1:1' });
});

const cookieOf = (setCookie: string) => setCookie.split(';')[0] ?? '';
const linkInvalid = { code: 'not_found', message: expect.stringContaining('link') };

/** A user signed in with two browsers, and a new address. */
async function person() {
  const { owner, actor, handle } = await createTestIdentity();
  const browser = { userAgent: '', address: '192.0.2.1' };
  const [here, elsewhere] = [await beginSession(owner.userId, browser), await beginSession(owner.userId, browser)];
  const self = { ...actor, sessionId: here };
  const wanted = `new@${handle}.example`;
  return {
    owner,
    wanted,
    self,
    request: (email = wanted, currentPassword = owner.password) =>
      requestEmailChange(self, { email, currentPassword }, '192.0.2.1'),
    cookieElsewhere: cookieOf(await sessionCookie({ userId: owner.userId, epoch: 0, sessionId: elsewhere })),
    user: () => prisma().user.findUniqueOrThrow({ where: { id: owner.userId } }),
  };
}

describe('changing the address', () => {
  test('takes effect when the link mailed to the new one is opened, and not before', async () => {
    const { owner, self, wanted, request, user, cookieElsewhere } = await person();
    expect(await request()).toEqual({ email: wanted, expiresAt: expect.any(String) });
    expect(await user()).toMatchObject({ email: owner.email, sessionEpoch: 0 });
    expect((await getAccount(self)).user).toMatchObject({ email: owner.email, pendingEmail: { email: wanted } });
    expect(await signIn(wanted, owner.password, 'here')).toEqual({ refused: 'credentials' });

    const token = await mailedToken(wanted, 'confirm_email');
    expect(await readEmailLink(self, token)).toEqual({ email: wanted, currentEmail: owner.email });
    expect(await user()).toMatchObject({ email: owner.email });

    const renewed = await confirmEmail(self, token);
    expect((await getAccount(self)).user).toMatchObject({ email: wanted, isEmailVerified: true, pendingEmail: null });
    expect(await readSession(cookieOf(renewed))).toMatchObject({ userId: owner.userId });
    expect(await readSession(cookieElsewhere)).toBeNull();
    expect(await signIn(wanted, owner.password, 'here')).toHaveProperty('user');
    expect(await signIn(owner.email, owner.password, 'here')).toEqual({ refused: 'credentials' });
  });

  test('is told to the old address at the request and at the change, with what to do', async () => {
    const { owner, self, wanted, request } = await person();
    await request();
    const [requested] = await accountMailsTo(owner.email);
    expect(requested).toMatchObject({ kind: 'email_change_requested', text: expect.stringContaining(wanted) });
    expect(requested?.text).toContain('/forgot-password');
    // The link is for the new address only.
    expect(requested?.text).not.toContain('#');
    await confirmEmail(self, await mailedToken(wanted, 'confirm_email'));
    const [, changed] = await accountMailsTo(owner.email);
    expect(changed).toMatchObject({ kind: 'email_changed', text: expect.stringContaining('administrator') });
  });

  test('needs the password', async () => {
    const { request, wanted } = await person();
    await expect(request(wanted, 'wrong')).rejects.toMatchObject({ details: { fields: { currentPassword: 'is wrong' } } });
    expect(await accountMailsTo(wanted)).toEqual([]);
  });

  test('does not say whether someone else has the address; they learn of it themselves', async () => {
    const [one, two] = [await person(), await person()];
    expect(await one.request(two.owner.email)).toEqual({ email: two.owner.email, expiresAt: expect.any(String) });
    expect((await getAccount(one.self)).user.pendingEmail).toMatchObject({ email: two.owner.email });
    const mails = await accountMailsTo(two.owner.email);
    expect(mails).toMatchObject([{ kind: 'email_in_use' }]);
    expect(mails[0]?.text).not.toContain('#');
  });

  test('is the caller’s business: no one else’s session can read or use the link', async () => {
    const [one, two] = [await person(), await person()];
    await one.request();
    const token = await mailedToken(one.wanted, 'confirm_email');
    await expect(readEmailLink(two.self, token)).rejects.toMatchObject(linkInvalid);
    await expect(confirmEmail(two.self, token)).rejects.toMatchObject(linkInvalid);
    // It still works for the right account.
    await confirmEmail(one.self, token);
    expect(await one.user()).toMatchObject({ email: one.wanted });
  });

  test('works once, also for several at the same moment', async () => {
    const { self, wanted, request } = await person();
    await request();
    const token = await mailedToken(wanted, 'confirm_email');
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => confirmEmail(self, token)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject(linkInvalid);
    }
    await expect(confirmEmail(self, token)).rejects.toMatchObject(linkInvalid);
  });

  test('of two people to one address works for one, and tells the other so', async () => {
    const [one, two] = [await person(), await person()];
    await one.request(one.wanted);
    await two.request(one.wanted);
    const tokens = (await accountMailsTo(one.wanted)).map(({ text }) => /#(\S+)/.exec(text)?.[1] ?? '');
    const results = await Promise.allSettled([confirmEmail(one.self, tokens[0] ?? ''), confirmEmail(two.self, tokens[1] ?? '')]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = results.find((result) => result.status === 'rejected');
    expect(refused?.reason).toMatchObject({ code: 'conflict', message: expect.stringContaining('another') });
  });
});

describe('a link to a new address', () => {
  test('is worth nothing after 24 hours', async () => {
    const { self, wanted, request } = await person();
    await request();
    const token = await mailedToken(wanted, 'confirm_email');
    await pool().query(`UPDATE account_links SET expires_at = now() - interval '1 second'`);
    await expect(readEmailLink(self, token)).rejects.toMatchObject(linkInvalid);
    await expect(confirmEmail(self, token)).rejects.toMatchObject(linkInvalid);
    expect((await getAccount(self)).user.pendingEmail).toBeNull();
  });

  test('is replaced by a newer one', async () => {
    const { self, wanted, request, user } = await person();
    await request();
    await request(`other-${wanted}`);
    await expect(confirmEmail(self, await mailedToken(wanted, 'confirm_email'))).rejects.toMatchObject(linkInvalid);
    await confirmEmail(self, await mailedToken(`other-${wanted}`, 'confirm_email'));
    expect(await user()).toMatchObject({ email: `other-${wanted}` });
  });

  test.each([
    ['taking the request back', (of: Awaited<ReturnType<typeof person>>) => cancelEmailChange(of.self)],
    [
      'a new password',
      ({ self, owner }: Awaited<ReturnType<typeof person>>) =>
        changePassword(self, { currentPassword: owner.password, newPassword: 'another long password' }, 'here'),
    ],
    [
      'a password set by the operator',
      ({ owner }: Awaited<ReturnType<typeof person>>) =>
        setPasswordByEmail({ email: owner.email, password: 'another long password' }),
    ],
  ])('is made worthless by %s', async (_, act) => {
    const someone = await person();
    await someone.request();
    const token = await mailedToken(someone.wanted, 'confirm_email');
    await act(someone);
    await expect(confirmEmail(someone.self, token)).rejects.toMatchObject(linkInvalid);
    expect(await someone.user()).toMatchObject({ email: someone.owner.email });
  });

  test('is stored as a hash only', async () => {
    const { wanted, request } = await person();
    await request();
    const token = await mailedToken(wanted, 'confirm_email');
    const { rows } = await pool().query<{ link: string }>(
      `SELECT encode(hash, 'escape') || email AS link FROM account_links WHERE email = $1`,
      [wanted],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.link).not.toContain(token);
  });
});

test('requests are limited to five an hour, whatever address they are for', async () => {
  const { request, wanted, self, owner } = await person();
  for (let i = 0; i < 5; i++) await request(`${i}${wanted}`);
  await expect(request()).rejects.toMatchObject({
    code: 'rate_limit_exceeded',
    headers: { 'Retry-After': expect.stringMatching(/^\d+$/) },
  });
  await flushSecurityLog();
  const [noted] = (await listSecurity({ ...self, identityId: randomUUID() }, listSecurityInput.parse({}))).events;
  expect(noted).toMatchObject({ kind: 'rate_limited', reason: 'rate_limit_exceeded', account: owner.email, count: 1 });
});

test('without SMTP_URL the address stays, and the answer says who can change it', async () => {
  const { request, self, user, owner } = await person();
  overrideEnv({ SMTP_URL: undefined });
  await expect(request()).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('operator') });
  await expect(requestEmailProof(self, '192.0.2.1')).rejects.toMatchObject({ code: 'conflict' });
  expect(await user()).toMatchObject({ email: owner.email });
});

describe('an address that no one has proven', () => {
  test('is proven by a link mailed to it, which ends no session', async () => {
    const { self, owner, user, cookieElsewhere } = await person();
    await prisma().user.update({ where: { id: owner.userId }, data: { emailVerifiedAt: null } });
    expect((await getAccount(self)).user.isEmailVerified).toBe(false);
    await requestEmailProof(self, '192.0.2.1');
    await confirmEmail(self, await mailedToken(owner.email, 'confirm_email'));
    expect(await user()).toMatchObject({ email: owner.email, emailVerifiedAt: expect.any(Date), sessionEpoch: 0 });
    expect(await readSession(cookieElsewhere)).not.toBeNull();
    await expect(requestEmailProof(self, '192.0.2.1')).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('admin user set-email', () => {
  test('changes the address, counts it as proven and ends every session', async () => {
    const { owner, wanted, user, cookieElsewhere } = await person();
    expect(await setEmail({ email: owner.email, newEmail: wanted })).toEqual({ userId: owner.userId, email: wanted });
    expect(await user()).toMatchObject({ email: wanted, emailVerifiedAt: expect.any(Date) });
    expect(await readSession(cookieElsewhere)).toBeNull();
    expect(await accountMailsTo(owner.email)).toMatchObject([{ kind: 'email_changed' }]);
  });

  test('with the present address says that it is theirs, and ends nothing', async () => {
    const { owner, user, cookieElsewhere } = await person();
    await prisma().user.update({ where: { id: owner.userId }, data: { emailVerifiedAt: null } });
    await setEmail({ email: owner.email, newEmail: owner.email });
    expect(await user()).toMatchObject({ emailVerifiedAt: expect.any(Date) });
    expect(await readSession(cookieElsewhere)).not.toBeNull();
  });

  test('refuses an unknown account and an address that is taken', async () => {
    const [one, two] = [await person(), await person()];
    await expect(setEmail({ email: 'nobody@x.example', newEmail: one.wanted })).rejects.toMatchObject({ code: 'not_found' });
    await expect(setEmail({ email: one.owner.email, newEmail: two.owner.email })).rejects.toMatchObject({ code: 'conflict' });
  });
});
