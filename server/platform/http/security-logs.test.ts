import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { beforeAll, expect, test, vi } from 'vitest';
import { signIn } from '@/server/features/accounts/account.service';
import { renewFeed } from '@/server/features/calendar/feed.service';
import { env } from '@/server/platform/env';
import { log } from '@/server/platform/log';
import { takeFromProcess } from '@/server/platform/process-globals';
import { queryAsOwner, withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { inviteByMail } from '@/server/testing/invitations';
import { withHttpServer } from '@/server/testing/rest';
import { sessionCookieOf } from '@/server/testing/session';

/** The log has more readers than the database: it must contain no credentials and no user content. */

const inboundSecret = 'an-inbound-secret-of-32-characters';

withFreshDatabase({ LOG_LEVEL: 'trace', PUBLIC_URL: 'https://desk.example.com', INBOUND_SECRET: inboundSecret });
const call = withHttpServer();

const lines: string[] = [];

beforeAll(() => {
  vi.spyOn(pino, 'destination').mockReturnValue({ write: (line: string) => lines.push(line), on: () => undefined } as never);
  for (const name of ['log', 'security-log']) takeFromProcess(name);
  log();
});

const written = 'What somebody wrote in confidence';
const password = 'a password of somebody';
const origin = { host: 'desk.example.com', origin: 'https://desk.example.com', 'sec-fetch-site': 'same-origin' };

/** Requests with secrets in every possible place, with any result. */
async function useSecrets(owner: TestIdentity, cookie: string, secretPaths: string[]): Promise<void> {
  const { key } = owner;
  const json = { contacts: [{ email: 'ann@confidence.example' }], notes: written, password, token: key };
  const headers = { ...origin, cookie };
  for (const path of ['identity/customers', 'identity', 'nothing', `identity/customers/${randomUUID()}`]) {
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
      await call(method, `/api/v1/${path}?key=${key}&token=${key}`, {
        key,
        json,
        headers: { 'idempotency-key': `k-${randomUUID()}` },
      });
      await call(method, `/api/v1/${path}`, { json, headers: { authorization: `Basic ${key}` } });
    }
  }
  for (const secretPath of secretPaths) await call('GET', `${secretPath}?answer=accepted`, { headers });
  await call('POST', '/api/trpc/customers.create', { headers, json });
  const input = encodeURIComponent(JSON.stringify({ token: key }));
  await call('GET', `/api/trpc/setup.status?input=${input}`, { headers });
  await call('POST', '/api/trpc/account.changePassword', { headers, json: { currentPassword: password, newPassword: password } });
  await call('POST', '/api/trpc/apiKeys.create', { headers, json: { name: written } });
  const authorization = `Bearer ${inboundSecret}`;
  await call('POST', '/api/inbound/email', { body: `Subject: ${written}\r\n\r\n${written}`, headers: { authorization } });
  await signIn(owner.owner.email, password, '192.0.2.7').catch(() => undefined);
}

test('the log holds no key, password, token, cookie or text, also where everything fails', async () => {
  const owner = await createTestIdentity({ ownerPassword: password });
  const cookie = await sessionCookieOf(owner);
  const { path: invitation } = await inviteByMail(owner.actor, { title: written });
  const feed = new URL((await renewFeed(owner.actor)).url ?? '').pathname;
  await useSecrets(owner, cookie, [invitation, feed]);
  const sound = lines.length;
  expect(sound).toBeGreaterThan(30);
  for (const table of ['customers', 'sign_in_throttle', 'calendar_feeds', 'calendar_invitees', 'idempotent_requests']) {
    await queryAsOwner(`ALTER TABLE ${table} RENAME TO gone_${table}`);
  }
  await useSecrets(owner, cookie, [invitation, feed]);
  const failed = lines.slice(sound).filter((line) => (JSON.parse(line) as { level: number }).level >= 50);
  expect(failed.length).toBeGreaterThan(5);
  const secrets = {
    key: owner.key,
    'part of the key': owner.key.slice(12),
    password,
    'session token': cookie.split('=')[1] ?? '',
    'invitation link': invitation.split('/').pop() ?? '',
    'feed link': feed.split('/').pop()?.replace('.ics', '') ?? '',
    'secret for inbound mail': inboundSecret,
    'secret of sessions': env().AUTH_SECRET ?? '',
    'password hash': '$argon2',
    text: written,
    address: 'confidence.example',
    header: 'Bearer ',
  };
  const all = lines.join('');
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret.length, name).toBeGreaterThan(6);
    const at = all.indexOf(secret);
    expect([name, at < 0 ? null : all.slice(Math.max(0, at - 300), at + 100)]).toEqual([name, null]);
  }
});

test('what gets into a line by mistake is struck out', () => {
  const before = lines.length;
  const headers = { authorization: 'Bearer x', cookie: 'a=b' };
  log().info({ headers, request: { headers }, password: 'x', user: { token: 'x', key: 'x', secret: 'x' } }, 'by mistake');
  const [line] = lines.slice(before).map((text) => JSON.parse(text) as Record<string, unknown>);
  const struck = { authorization: '[redacted]', cookie: '[redacted]' };
  expect(line).toMatchObject({ headers: struck, request: { headers: struck }, password: '[redacted]' });
  expect(line).toMatchObject({ user: { token: '[redacted]', key: '[redacted]', secret: '[redacted]' } });
});
