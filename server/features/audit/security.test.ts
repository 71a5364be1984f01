import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { commands } from '@/server/admin/commands';
import { generateApiKeyToken } from '@/server/platform/auth/api-key-token';
import { flushSecurityLog, noteSecurityEvent } from '@/server/platform/auth/security-log';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { withHttpServer } from '@/server/testing/rest';
import { sessionCookieOf } from '@/server/testing/session';
import { turnOnTwoFactor } from '@/server/testing/two-factor';
import { changePassword, signIn } from '../accounts/account.service';
import { confirmSignIn } from '../accounts/confirm.service';
import { eraseIdentities } from '../accounts/erasure.service';
import { deleteIdentity } from '../accounts/owned-identity.service';
import { createApiKey, revokeApiKey } from '../api-keys/api-key.service';
import { listSecurityInput } from './security.schema';
import { listSecurity } from './security.service';

const inboundSecret = 'an-inbound-secret-of-32-characters';

withFreshDatabase({ INBOUND_SECRET: inboundSecret, RATE_LIMIT_BURST_PER_SECOND: '0' });
const call = withHttpServer();

let identity: TestIdentity;
let stranger: TestIdentity;

beforeEach(async () => {
  identity = await createTestIdentity();
  stranger = await createTestIdentity();
});

const address = '203.0.113.7';

async function events(input: Parameters<typeof listSecurityInput.parse>[0] = {}, of = identity) {
  await flushSecurityLog();
  return (await listSecurity(of.actor, listSecurityInput.parse(input))).events;
}

async function allEvents(...args: string[]) {
  await flushSecurityLog();
  const command = commands['security list'];
  return (await command?.run(command.parse(args))) as { events: Record<string, unknown>[]; next: string | null };
}

describe('the security log', () => {
  test('names failed sign-ins with account, address, reason, time and request, to the owner of the account alone', async () => {
    const { email, password } = identity.owner;
    for (let i = 0; i < 11; i++) await signIn(email, 'not the password', address, undefined, { requestId: `r-${i}` });
    await signIn(email, password, '203.0.113.8');
    const [throttled, failed] = await events();
    expect(failed).toMatchObject({ kind: 'sign_in_failed', reason: 'wrong_password', account: email, address, requestId: 'r-9' });
    expect(throttled).toMatchObject({ kind: 'sign_in_throttled', reason: 'too_many_attempts', count: 1, requestId: 'r-10' });
    expect(Math.abs(Date.parse(failed?.lastAt ?? '') - Date.now())).toBeLessThan(60_000);
    expect(await events({}, stranger)).toEqual([]);
  });

  test('names wrong codes of a second factor, and that there were too many', async () => {
    await turnOnTwoFactor(identity.actor);
    const { email, password } = identity.owner;
    for (let i = 0; i < 31; i++) await signIn(email, password, `2001:db8:${i.toString(16)}::1`, 'abcdef');
    const found = (await events({ limit: 100 })).map(({ kind, reason }) => `${kind} ${reason}`);
    expect(new Set(found)).toEqual(new Set(['sign_in_failed code_wrong', 'sign_in_throttled too_many_codes']));
  });

  test('names wrong passwords within a session', async () => {
    const actor = { ...identity.actor, request: { requestId: 'r-1' } };
    for (let i = 0; i < 11; i++) {
      const change = { currentPassword: 'not the password', newPassword: 'another long password' };
      await changePassword(actor, change, address).catch(() => undefined);
    }
    const found = await events();
    expect(found.map(({ kind }) => kind).sort()).toEqual(['confirmation_failed', 'confirmation_throttled']);
    expect(found[0]).toMatchObject({ account: identity.owner.email, address, requestId: 'r-1' });
  });

  test('names wrong codes of a second factor within a session', async () => {
    await turnOnTwoFactor(identity.actor);
    const confirmation = { currentPassword: identity.owner.password, code: 'abcdef' };
    await expect(confirmSignIn(identity.actor, confirmation, address)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await events()).toMatchObject([{ kind: 'confirmation_failed', reason: 'code_wrong', address }]);
  });

  test('names refused keys by their beginning', async () => {
    const { key, apiKey } = await createApiKey(identity.actor, { name: 'Old', expiresAt: null });
    await revokeApiKey(identity.actor, apiKey.id);
    const headers = { 'x-forwarded-for': address };
    expect((await call('GET', '/api/v1/identity', { key, headers })).status).toBe(401);
    const [refused] = await events();
    expect(refused).toMatchObject({ kind: 'key_refused', reason: 'revoked_key', address, subject: apiKey.prefix });
    const unknown = generateApiKeyToken();
    for (const wrong of [unknown, 'a password in the wrong place'])
      await call('GET', '/api/v1/identity', { key: wrong, headers });
    expect(await events()).toHaveLength(1);
    const { events: all } = await allEvents('--kind', 'key_refused');
    // The two may share a millisecond, so their order is open.
    const found = all.map(({ reason, subject, identityId }) => [reason, subject, identityId].join());
    expect(found.sort()).toEqual(
      ['invalid_key,,', `invalid_key,${unknown.slice(0, 12)},`, `revoked_key,${apiKey.prefix},${identity.identityId}`].sort(),
    );
    expect(JSON.stringify(all)).not.toContain(unknown.slice(12));
    expect(JSON.stringify(all)).not.toContain('in the wrong place');
  });

  test('names what a key may not do, and where pages of other sites acted for someone', async () => {
    await call('GET', `/api/v1/identity?identityId=${randomUUID()}`, { key: identity.key });
    const cookie = await sessionCookieOf(identity);
    const headers = { cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    await call('POST', '/api/trpc/account.signOutEverywhere', { headers, json: {} });
    await expect.poll(() => events({ kind: 'origin_refused' })).toHaveLength(1);
    const found = await events();
    expect(found.map(({ kind, reason, subject }) => [kind, reason, subject]).sort()).toEqual([
      ['origin_refused', 'cross_origin', 'https://evil.example'],
      ['scope_refused', 'identity_override', 'GET /identity'],
    ]);
    expect(await events({}, stranger)).toEqual([]);
  });

  test('names a key that has used up its requests', async () => {
    const free = await createTestIdentity({ plan: 'free' });
    for (let i = 0; i < 102; i++) await call('GET', '/api/v1/identity', { key: free.key });
    const [limited] = await events({}, free);
    expect(limited).toMatchObject({ kind: 'rate_limited', reason: 'rate_limit_exceeded', subject: 'GET /identity' });
  });

  test('names what an owner does too often in the dashboard, and each refusal once', async () => {
    const owner = await createTestIdentity({ address: `desk@${randomUUID()}.example` });
    const headers = {
      cookie: await sessionCookieOf(owner),
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': address,
    };
    const ask = (procedure: string, json: object) => call('POST', `/api/trpc/${procedure}`, { headers, json });
    for (let i = 0; i < 11; i++) {
      await ask('account.changePassword', { currentPassword: 'not the password', newPassword: 'another long password' });
    }
    for (let i = 0; i < 6; i++) await ask('mail.sendTest', {});
    const found = await events({}, owner);
    const causes = found.map(({ kind, reason, subject, address: from }) => [kind, reason, subject, from].join());
    expect([...new Set(causes)].sort()).toEqual([
      `confirmation_failed,wrong_password,,${address}`,
      `confirmation_throttled,too_many_attempts,,${address}`,
      `rate_limited,rate_limit_exceeded,mail.sendTest,${address}`,
    ]);
    expect(await events({}, stranger)).toEqual([]);
  });

  test('tells the operator alone of accounts that are none, and of wrong secrets for inbound mail', async () => {
    const unknown = `nobody-${randomUUID()}@nowhere.example`;
    await signIn(unknown, 'whatever it is', address);
    await call('POST', '/api/inbound/email', { key: 'a wrong secret', body: 'x' });
    expect(await events()).toEqual([]);
    const { events: all } = await allEvents('--limit', '2');
    expect(all).toMatchObject([
      { kind: 'inbound_refused', reason: 'invalid_key' },
      { kind: 'sign_in_failed', reason: 'unknown_account', account: unknown, userId: null },
    ]);
  });

  test('comes in pages, newest first, without gaps, and by kind', async () => {
    for (let i = 0; i < 7; i++) {
      noteSecurityEvent({
        kind: i % 2 ? 'key_refused' : 'sign_in_failed',
        reason: `r${i}`,
        userId: identity.owner.userId,
        address,
      });
      await flushSecurityLog();
    }
    const whole = await events();
    expect(whole).toHaveLength(7);
    const paged: string[] = [];
    for (let before: string | undefined; ; ) {
      const page = await listSecurity(identity.actor, listSecurityInput.parse({ limit: 3, before }));
      paged.push(...page.events.map(({ id }) => id));
      if (page.next === null) break;
      before = page.next;
    }
    expect(paged).toEqual(whole.map(({ id }) => id));
    expect(await events({ kind: 'key_refused' })).toHaveLength(3);
    const first = await allEvents('--limit', '1');
    expect(first.events).toHaveLength(1);
    expect((await allEvents('--limit', '1', '--before', first.next ?? '')).events[0]?.id).not.toBe(first.events[0]?.id);
  });

  test('of a business goes with it', async () => {
    await call('GET', `/api/v1/identity?identityId=${randomUUID()}`, { key: identity.key });
    expect(await events()).toHaveLength(1);
    await deleteIdentity(identity.actor, { handle: identity.handle });
    await eraseIdentities();
    expect(await events()).toEqual([]);
  });
});
