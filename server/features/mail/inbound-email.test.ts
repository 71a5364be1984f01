import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { flushSecurityLog } from '@/server/platform/auth/security-log';
import { prisma } from '@/server/platform/db/prisma';
import { overrideEnv } from '@/server/platform/env';
import { maximumMailBytes } from '@/server/platform/mail/raw-mail';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { mailBytes } from '@/server/testing/mail';
import { type Answer, withHttpServer } from '@/server/testing/rest';

const secret = 'a secret for tests';

withFreshDatabase({ INBOUND_SECRET: secret.replaceAll(' ', '-') });
const call = withHttpServer();

let desk: TestIdentity;

beforeAll(async () => {
  desk = await createTestIdentity({ address: 'desk@here.example' });
});

const key = secret.replaceAll(' ', '-');
const post = (query: string, body: string | Buffer, options: { key?: string; headers?: Record<string, string> } = { key }) =>
  call('POST', `/api/inbound/email${query}`, {
    body,
    headers: { 'content-type': 'message/rfc822', ...options.headers },
    ...(options.key === undefined ? {} : { key: options.key }),
  });

const to = '?recipient=desk@here.example';

describe('a message handed in over HTTP', () => {
  test('is stored; the same one again gives the same ids', async () => {
    const bytes = mailBytes();
    const first = await post(to, bytes);
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ conversationId: expect.any(String), messageId: expect.any(String) });
    const { conversationId, messageId } = first.body as Record<string, string>;
    expect((await post(to, bytes)).body).toMatchObject({ conversationId, messageId });
    expect(await prisma().message.count({ where: { identityId: desk.identityId, id: messageId } })).toBe(1);
  });

  test('goes to every recipient of the query, else to those of its headers', async () => {
    await createTestIdentity({ address: 'other@here.example' });
    const both = await post(`${to}&recipient=other%40here.example`, mailBytes());
    expect((both.body as { deliveries: unknown[] }).deliveries).toHaveLength(2);
    expect((await post('', mailBytes({ headers: { To: 'Desk <desk@here.example>' } }))).status).toBe(200);
  });

  test('keeps the envelope’s sender where it is given, and refuses one that is no address', async () => {
    const unreadable = Buffer.from('From: ann@quark.example\r\nContent-Type: multipart/mixed\r\n\r\nno boundary');
    const sender = async (query: string) => {
      const { body } = await post(`${to}${query}`, Buffer.concat([unreadable, Buffer.from(query)]));
      const { quarantineId } = body as { quarantineId: string };
      return (await prisma().quarantinedMail.findFirstOrThrow({ where: { id: quarantineId } })).sender;
    };
    expect(await sender('')).toBeNull();
    expect(await sender('&sender=')).toBe('');
    expect(await sender('&sender=%3CAnn%40B%C3%A4cker.example%3E')).toBe('Ann@xn--bcker-gra.example');
    const refused = await post(`${to}&sender=ann%00%40quark.example`, mailBytes());
    expect([refused.status, refused.body]).toMatchObject([400, { details: { fields: { sender: 'is no address' } } }]);
  });

  test('is 422 for nobody here', async () => {
    const refused: [string, Buffer][] = [
      ['?recipient=nobody@here.example', mailBytes()],
      ['', mailBytes({ headers: { To: 'nobody@here.example' } })],
    ];
    for (const [query, bytes] of refused) {
      const answer = await post(query, bytes);
      expect(answer.status).toBe(422);
      expect(answer.body).toMatchObject({ error: 'Unknown recipient', code: 'unknown_recipient' });
    }
  });

  test('is put aside where nobody can read it, and 200 says so', async () => {
    const boundary = 'b';
    const body = `${'--b\nContent-Type: text/plain\n\nx\n'.repeat(1_200)}--b--`;
    const answer = await post(to, mailBytes({ headers: { 'Content-Type': `multipart/mixed; boundary=${boundary}` }, body }));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ conversationId: null, messageId: null, quarantineId: expect.any(String) });
  });

  test('is 413 over the limit, and its beginning is put aside', async () => {
    const answer = await post(to, Buffer.concat([mailBytes(), Buffer.alloc(maximumMailBytes, 'x')]));
    expect(answer.status).toBe(413);
    const aside = await prisma().quarantinedMail.findFirstOrThrow({
      where: { identityId: desk.identityId, reason: 'too_large' },
    });
    expect(aside).toMatchObject({ source: 'http', size: maximumMailBytes, isTruncated: true });
    expect((await post(to, mailBytes())).status).toBe(200);
    // A message without a known recipient can't be quarantined.
    expect((await post('', Buffer.concat([mailBytes(), Buffer.alloc(maximumMailBytes, 'x')]))).status).toBe(413);
  });

  test('is 429 where a recipient’s storage is full, and those who have room keep theirs; sent again later, it is stored once', async () => {
    const full = await createTestIdentity({ address: 'full@here.example', plan: 'free' });
    const bytes = mailBytes({ body: 'x'.repeat(5_000) });
    overrideEnv({ PLAN_LIMITS: { free: { storageBytes: 3_000 } } });
    onTestFinished(() => void overrideEnv({ PLAN_LIMITS: undefined }));
    const before = await prisma().message.count({ where: { identityId: desk.identityId } });
    for (const query of ['?recipient=full@here.example', `${to}&recipient=full@here.example`]) {
      const refused = await post(query, bytes);
      expect(refused.status).toBe(429);
      expect(refused.body).toMatchObject({
        error: 'Quota exceeded',
        code: 'quota_exceeded',
        message: expect.stringContaining('storage of this business is full'),
        details: { quota: 'storage', limit: 3_000, remaining: 0, plan: 'Free' },
      });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    }
    await flushSecurityLog();
    const noted = { kind: 'inbound_refused', reason: 'quota_exceeded', address: '127.0.0.1' };
    expect((await prisma().securityEvent.aggregate({ where: noted, _sum: { count: true } }))._sum.count).toBe(2);
    expect(await prisma().message.count({ where: { identityId: full.identityId } })).toBe(0);
    expect(await prisma().message.count({ where: { identityId: desk.identityId } })).toBe(before + 1);
    overrideEnv({ PLAN_LIMITS: undefined });
    expect((await post(`${to}&recipient=full@here.example`, bytes)).status).toBe(200);
    expect(await prisma().message.count({ where: { identityId: full.identityId } })).toBe(1);
    expect(await prisma().message.count({ where: { identityId: desk.identityId } })).toBe(before + 1);
  });

  test('is 400 where there is nothing', async () => {
    expect((await post(to, '')).status).toBe(400);
    for (const bad of ['a%00@here.example', 'a%0d%0a@here.example', 'a%ff@here.example']) {
      const answer = await post(`?recipient=${bad}`, mailBytes());
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ details: { fields: { recipient: expect.any(String) } } });
    }
    const many = Array.from({ length: 1_001 }, () => 'recipient=a').join('&');
    expect((await post(`?${many}`, mailBytes())).status).toBe(400);
  });
});

describe('the endpoint', () => {
  const unauthorised = (answer: Answer, code: string) => {
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.body).toMatchObject({ error: 'Unauthorized', code });
  };

  test('needs the secret', async () => {
    const before = await prisma().message.count();
    unauthorised(await post(to, mailBytes(), {}), 'missing_key');
    for (const wrong of ['wrong', `${key}x`, desk.key]) unauthorised(await post(to, mailBytes(), { key: wrong }), 'invalid_key');
    unauthorised(await post(to, mailBytes(), { headers: { authorization: `Basic ${key}` } }), 'invalid_key');
    expect(await prisma().message.count()).toBe(before);
  });

  test('takes ten wrong secrets from a network, and then none for a while, be it right', async () => {
    const from = (address: string, secretGiven: string) =>
      post(to, mailBytes(), { key: secretGiven, headers: { 'x-forwarded-for': address } });
    const answers = await Promise.all(Array.from({ length: 15 }, (_, i) => from(`2001:db8:9:9::${i + 1}`, `wrong-${i}`)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    const refused = await from('2001:db8:9:9:a::1', key);
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ code: 'rate_limit_exceeded', message: expect.stringContaining('Try again in') });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await from('2001:db8:9:a::1', key)).status).toBe(200);
  });

  test('is at this address alone', async () => {
    for (const path of ['/api/inbound/email/', '/api/inbound/email/x']) {
      const answer = await call('POST', `${path}${to}`, { key, body: mailBytes() });
      expect(answer.status).toBe(404);
    }
  });

  test('is there for POST alone', async () => {
    const answer = await call('GET', '/api/inbound/email', { key });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
  });

  test('is not there at all without a secret to ask for', async () => {
    overrideEnv({ INBOUND_SECRET: undefined });
    try {
      expect((await post(to, mailBytes())).status).toBe(404);
      expect((await post(to, mailBytes(), {})).status).toBe(404);
    } finally {
      overrideEnv({ INBOUND_SECRET: key });
    }
  });
});
