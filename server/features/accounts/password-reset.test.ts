import { randomBytes } from 'node:crypto';
import timers from 'node:timers/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { rememberBrowser, rememberedBrowserId } from '@/server/platform/auth/remembered-browser';
import { flushSecurityLog } from '@/server/platform/auth/security-log';
import { readSession } from '@/server/platform/auth/session';
import { countSignInAttempt } from '@/server/platform/auth/sign-in-throttle';
import { prisma } from '@/server/platform/db/prisma';
import { overrideEnv } from '@/server/platform/env';
import { accountMailsTo, mailedToken } from '@/server/testing/account-mail';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { jobsOfKind, type StoredJob } from '@/server/testing/jobs';
import { withHttpServer } from '@/server/testing/rest';
import { sessionCookieOf } from '@/server/testing/session';
import { listAllSecurity } from '../audit/security.service';
import { signIn } from './account.service';
import {
  mailLink,
  type ResetJob,
  readPasswordLink,
  requestPasswordReset,
  resetLinkMailing,
  resetPassword,
} from './password-reset.service';

withFreshDatabase({ SMTP_URL: 'smtp://127.0.0.1:1' });
const call = withHttpServer();

beforeEach(() => {
  overrideEnv({ SMTP_URL: 'smtp://127.0.0.1:1', PUBLIC_URL: undefined });
});

const newPassword = 'another long password';
const linkInvalid = { code: 'not_found', message: expect.stringContaining('link') };

/** An address in a unique network. */
const freshAddress = () => `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`;

async function jobsFor(email: string): Promise<StoredJob<ResetJob>[]> {
  const jobs = await jobsOfKind<ResetJob>(resetLinkMailing);
  return jobs.filter(({ payload }) => payload.email === email);
}

/** Requests a link and has the worker mail it. */
async function mailedLink({ owner }: TestIdentity): Promise<string> {
  await requestPasswordReset({ email: owner.email }, freshAddress());
  const [job] = await jobsFor(owner.email);
  if (!job) throw new Error('no job');
  await mailLink(job.payload);
  return mailedToken(owner.email, 'reset_password');
}

describe('asking for a link', () => {
  test('does the same for an address no one has: one job, and nothing else', async () => {
    const { owner } = await createTestIdentity();
    for (const email of [owner.email, 'nobody@nowhere.example']) {
      expect(await requestPasswordReset({ email }, freshAddress())).toBeUndefined();
      expect(await jobsFor(email)).toHaveLength(1);
      expect(await accountMailsTo(email)).toEqual([]);
    }
    const before = await prisma().accountLink.count();
    await mailLink({ email: 'nobody@nowhere.example', requestedAt: new Date().toISOString() });
    expect(await prisma().accountLink.count()).toBe(before);
    expect(await accountMailsTo('nobody@nowhere.example')).toEqual([]);
  });

  test('mails one link, however often the job runs', async () => {
    const identity = await createTestIdentity();
    await mailedLink(identity);
    const [job] = await jobsFor(identity.owner.email);
    await Promise.all([1, 2, 3].map(() => job && mailLink(job.payload)));
    expect(await accountMailsTo(identity.owner.email)).toHaveLength(1);
  });

  test('is limited to three an hour for an account, whether or not it exists', async () => {
    const { owner } = await createTestIdentity();
    for (const email of [owner.email, `nobody${randomBytes(4).toString('hex')}@nowhere.example`]) {
      for (let i = 0; i < 3; i++) await requestPasswordReset({ email }, freshAddress());
      await expect(requestPasswordReset({ email }, freshAddress())).rejects.toMatchObject({
        code: 'rate_limit_exceeded',
        headers: { 'Retry-After': expect.stringMatching(/^\d+$/) },
      });
    }
  });

  test('is limited to twenty an hour from one address', async () => {
    const address = freshAddress();
    for (let i = 0; i < 20; i++) await requestPasswordReset({ email: `user${i}@spray.example` }, address);
    await expect(requestPasswordReset({ email: 'last@spray.example' }, address)).rejects.toMatchObject({
      code: 'rate_limit_exceeded',
    });
    await flushSecurityLog();
    const noted = { kind: 'rate_limited', reason: 'rate_limit_exceeded', account: 'last@spray.example', address, count: 1 };
    expect((await listAllSecurity({ kind: 'rate_limited', limit: 1000 })) as object).toMatchObject({
      events: expect.arrayContaining([expect.objectContaining(noted)]),
    });
    await requestPasswordReset({ email: 'last@spray.example' }, freshAddress());
  });

  test('says without SMTP_URL who can help', async () => {
    const { owner } = await createTestIdentity();
    overrideEnv({ SMTP_URL: undefined });
    await expect(requestPasswordReset({ email: owner.email }, freshAddress())).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('operator'),
    });
    expect(await jobsFor(owner.email)).toEqual([]);
  });
});

test('a link leads here, whatever host the request for it names', async () => {
  const publicUrl = 'https://desk.example.com';
  overrideEnv({ PUBLIC_URL: publicUrl });
  const ask = async (headers: Record<string, string>) => {
    const { owner } = await createTestIdentity();
    const own = { host: 'desk.example.com', origin: publicUrl, 'sec-fetch-site': 'same-origin' };
    const json = { email: owner.email };
    const { status } = await call('POST', '/api/trpc/recovery.requestPasswordReset', { headers: { ...own, ...headers }, json });
    const [job] = await jobsFor(owner.email);
    if (job) await mailLink(job.payload);
    return { status, texts: (await accountMailsTo(owner.email)).map(({ text }) => text) };
  };
  const other = 'evil.example';
  for (const name of ['host', 'x-forwarded-host', 'forwarded', 'x-original-host']) {
    const { status, texts } = await ask({ [name]: name === 'forwarded' ? `host=${other}` : other });
    expect(status).toBe(200);
    expect(texts).toEqual([expect.stringContaining(`${publicUrl}/`)]);
    expect(texts[0]).not.toContain(other);
  }
  expect(await ask({ origin: `https://${other}`, referer: `https://${other}/` })).toEqual({ status: 403, texts: [] });
});

describe('a link for a new password', () => {
  test('sets it, ends every session, signs no one in and tells the person', async () => {
    const identity = await createTestIdentity();
    const { owner } = identity;
    const cookie = await sessionCookieOf(identity);
    const token = await mailedLink(identity);
    expect(await readPasswordLink(token)).toEqual({ email: owner.email });
    expect(await readSession(cookie)).not.toBeNull();
    await resetPassword({ token, newPassword }, null);
    expect(await readSession(cookie)).toBeNull();
    expect(await prisma().session.count({ where: { userId: owner.userId } })).toBe(0);
    expect(await signIn(owner.email, owner.password, freshAddress())).toEqual({ refused: 'credentials' });
    expect(await signIn(owner.email, newPassword, freshAddress())).toHaveProperty('user');
    expect((await accountMailsTo(owner.email)).map(({ kind }) => kind)).toEqual(['reset_password', 'password_changed']);
  });

  test('has the browser remembered for the account, so that what strangers have tried does not stop or slow it', async () => {
    const identity = await createTestIdentity();
    const { owner } = identity;
    const other = rememberBrowser(null, 'another account').split(';')[0] ?? '';
    const address = freshAddress();
    for (let i = 0; i < 101; i++) await countSignInAttempt(owner.email, i < 11 ? address : freshAddress());
    const cookie = await resetPassword({ token: await mailedLink(identity), newPassword }, other);
    const cookies = cookie.split(';')[0] ?? '';
    expect(rememberedBrowserId(cookies, 'another account')).not.toBeNull();
    const delay = vi.spyOn(timers, 'setTimeout');
    expect(await signIn(owner.email, newPassword, address, undefined, { cookies })).toHaveProperty('user');
    expect(delay).not.toHaveBeenCalledWith(1_000);
    expect(await signIn(owner.email, newPassword, address)).toMatchObject({ refused: 'throttled' });
  });

  test('works once, also for several at the same moment', async () => {
    const identity = await createTestIdentity();
    const token = await mailedLink(identity);
    const passwords = Array.from({ length: 4 }, (_, index) => `${newPassword} ${index}`);
    const results = await Promise.allSettled(passwords.map((password) => resetPassword({ token, newPassword: password }, null)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(readPasswordLink(token)).rejects.toMatchObject(linkInvalid);
    await expect(resetPassword({ token, newPassword }, null)).rejects.toMatchObject(linkInvalid);
  });

  test('is not used up by reading it, nor by a password that is refused', async () => {
    const identity = await createTestIdentity();
    const token = await mailedLink(identity);
    await readPasswordLink(token);
    await expect(resetPassword({ token, newPassword: 'qwerty123456' }, null)).rejects.toMatchObject({
      details: { fields: { newPassword: expect.stringContaining('common') } },
    });
    await resetPassword({ token, newPassword }, null);
  });

  test('is worth nothing after an hour', async () => {
    const identity = await createTestIdentity();
    const token = await mailedLink(identity);
    const link = await prisma().accountLink.findFirstOrThrow({ where: { userId: identity.owner.userId } });
    expect(link.expiresAt.getTime() - link.createdAt.getTime()).toBe(3_600_000);
    await prisma().accountLink.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } });
    await expect(readPasswordLink(token)).rejects.toMatchObject(linkInvalid);
    await expect(resetPassword({ token, newPassword }, null)).rejects.toMatchObject(linkInvalid);
  });

  test('is replaced by a newer one', async () => {
    const identity = await createTestIdentity();
    const first = await mailedLink(identity);
    const second = await mailedLink(identity);
    await expect(readPasswordLink(first)).rejects.toMatchObject(linkInvalid);
    await expect(resetPassword({ token: first, newPassword }, null)).rejects.toMatchObject(linkInvalid);
    await resetPassword({ token: second, newPassword }, null);
  });

  test('is of one kind: it confirms no address', async () => {
    const identity = await createTestIdentity();
    const token = await mailedLink(identity);
    const { confirmEmail } = await import('./email-change.service');
    await expect(confirmEmail(identity.actor, token)).rejects.toMatchObject(linkInvalid);
    expect(await readPasswordLink(token)).toEqual({ email: identity.owner.email });
  });

  test('proves the address it came to', async () => {
    const identity = await createTestIdentity();
    await prisma().user.update({ where: { id: identity.owner.userId }, data: { emailVerifiedAt: null } });
    await resetPassword({ token: await mailedLink(identity), newPassword }, null);
    expect(await prisma().user.findUniqueOrThrow({ where: { id: identity.owner.userId } })).toMatchObject({
      emailVerifiedAt: expect.any(Date),
    });
  });

  test.each(['', 'x', '../', 'x'.repeat(200)])('%j leads nowhere', async (token) => {
    await expect(readPasswordLink(token)).rejects.toMatchObject(linkInvalid);
    await expect(resetPassword({ token, newPassword }, null)).rejects.toMatchObject(linkInvalid);
  });
});
