import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { listMessages } from '@/server/features/conversations/conversation.service';
import { listMessagesInput, replyInput } from '@/server/features/conversations/message.schema';
import { replyTo } from '@/server/features/conversations/reply.service';
import { prisma } from '@/server/platform/db/prisma';
import { createTestEvent } from '@/server/testing/calendar';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { deliver, mailBytes, receiveBytes } from '@/server/testing/mail';
import { withHttpServer } from '@/server/testing/rest';
import { sessionCookieOf } from '@/server/testing/session';
import { addTestMember, memberCookie } from '@/server/testing/team';

withFreshDatabase();
const call = withHttpServer();

let desk: TestIdentity;
let stranger: TestIdentity;
let cookie: string;
let strangersCookie: string;
let messageId: string;
let file: { id: string; downloadUrl: string };
const content = randomBytes(70_000);

const body = `--b
Content-Type: text/html

<p onclick="x()">Hello</p><script>alert(1)</script><img src="cid:pic@x"><img src="https://tracker.example/a.png" width="200" height="100">
--b
Content-Type: image/png; name="pic.png"
Content-ID: <pic@x>
Content-Disposition: inline; filename="pic.png"
Content-Transfer-Encoding: base64

iVBORw0KGgo=
--b
Content-Type: text/html; name="evil.html"
Content-Disposition: attachment; filename="Übergröße \\"x\\".html"
Content-Transfer-Encoding: base64

${content.toString('base64').replace(/.{76}/g, '$&\n')}
--b--
`;

beforeAll(async () => {
  desk = await createTestIdentity({ address: 'desk@here.example' });
  stranger = await createTestIdentity();
  cookie = await sessionCookieOf(desk);
  strangersCookie = await sessionCookieOf(stranger);
  const headers = { 'Content-Type': 'multipart/related; boundary=b' };
  const delivery = await deliver({ headers, body }, { to: 'desk@here.example' });
  messageId = delivery.messageId;
  const { messages } = await listMessages(
    desk.actor,
    listMessagesInput.parse({ conversationId: delivery.conversationId, includeAttachments: true }),
  );
  const attachment = messages[0]?.attachments.find(({ isInline }) => !isInline);
  if (!attachment) throw new Error('The attachment is missing.');
  file = attachment;
});

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('an attachment', () => {
  test('comes byte by byte, to be saved and never to be run', async () => {
    for (const options of [{ key: desk.key }, { headers: { cookie } }]) {
      const path = 'key' in options ? file.downloadUrl : `/api/mail/attachments/${file.id}`;
      const answer = await call('GET', path, options);
      expect(answer.status).toBe(200);
      expect(digest(answer.bytes)).toBe(digest(content));
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html',
        'content-length': String(content.length),
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining('sandbox'),
      });
      expect(answer.headers['content-disposition']).toMatch(
        /^attachment; filename="[^"]*"; filename\*=UTF-8''%C3%9Cbergr%C3%B6%C3%9Fe/,
      );
      expect(answer.headers['x-request-id']).toBeTruthy();
    }
  });

  test('has a head without a body', async () => {
    const answer = await call('HEAD', file.downloadUrl, { key: desk.key });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-length']).toBe(String(content.length));
    expect(answer.bytes).toHaveLength(0);
  });

  test('is nobody else’s', async () => {
    expect((await call('GET', file.downloadUrl)).status).toBe(401);
    expect((await call('GET', file.downloadUrl, { headers: { cookie } })).status).toBe(401);
    expect((await call('GET', file.downloadUrl, { key: stranger.key })).status).toBe(404);
    const address = `/api/mail/attachments/${file.id}`;
    expect((await call('GET', address)).status).toBe(401);
    expect((await call('GET', address, { key: desk.key })).status).toBe(401);
    expect((await call('GET', address, { headers: { cookie: strangersCookie } })).status).toBe(404);
    const asOther = `${address}?identity=${desk.identityId}`;
    expect((await call('GET', asOther, { headers: { cookie: strangersCookie } })).status).toBe(404);
    const twice = await call('GET', `${asOther}&identity=${stranger.identityId}`, { headers: { cookie } });
    expect([twice.status, twice.body]).toMatchObject([400, { details: { fields: { identity: 'is given more than once' } } }]);
  });
});

test('a member without the second factor that the business requires gets no mail', async () => {
  const lacking = { headers: { cookie: await memberCookie(await addTestMember(desk, 'member')) } };
  const addresses = [`/api/mail/attachments/${file.id}`, `/api/mail/messages/${messageId}/html`];
  for (const address of addresses) expect((await call('GET', address, lacking)).status).toBe(200);
  await prisma().identity.update({ where: { id: desk.identityId }, data: { requiresTwoFactor: true } });
  try {
    for (const address of addresses) {
      expect((await call('GET', address, lacking)).body).toMatchObject({ code: 'two_factor_required' });
    }
  } finally {
    await prisma().identity.update({ where: { id: desk.identityId }, data: { requiresTwoFactor: false } });
  }
});

describe('the HTML of a message', () => {
  const address = () => `/api/mail/messages/${messageId}/html`;

  test('is shown without anything that runs, or loads from elsewhere unless asked to', async () => {
    const answer = await call('GET', address(), { headers: { cookie } });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    expect(answer.headers['content-security-policy']).not.toContain('https:');
    expect(answer.text).toContain('Hello');
    expect(answer.text).not.toMatch(/<script|onclick|tracker\.example/);
    expect(answer.text).toMatch(new RegExp(`/api/mail/attachments/[0-9a-f-]{36}\\?identity=${desk.identityId}`));
    const withImages = await call('GET', `${address()}?images=1`, { headers: { cookie } });
    expect(withImages.text).toContain('https://tracker.example/a.png');
    expect(withImages.headers['content-security-policy']).toContain('https:');
  });

  test('is nobody else’s', async () => {
    expect((await call('GET', address())).status).toBe(401);
    expect((await call('GET', address(), { headers: { cookie: strangersCookie } })).status).toBe(404);
  });

  test('is not there where the message has none', async () => {
    const plain = await deliver({}, { to: 'desk@here.example' });
    expect((await call('GET', `/api/mail/messages/${plain.messageId}/html`, { headers: { cookie } })).status).toBe(404);
  });
});

describe('the HTML of a sent mail', () => {
  test('is shown without the links that are the guest’s alone, and to its business alone', async () => {
    const event = await createTestEvent(desk.actor, { title: 'Review <now>', invitees: [{ email: 'ann@quark.example' }] });
    const mail = await prisma().outboxMail.findFirstOrThrow({ where: { topic: `event:${event.id}` } });
    const address = `/api/mail/outbox/${mail.id}/html`;
    const answer = await call('GET', address, { headers: { cookie } });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    expect(answer.text).toContain('Review &#x3C;now>');
    expect(JSON.stringify(mail.mail)).toContain('/rsvp/');
    expect(answer.text).not.toContain('/rsvp/');
    expect((await call('GET', address)).status).toBe(401);
    expect((await call('GET', address, { headers: { cookie: strangersCookie } })).status).toBe(404);
  });

  test('that carries a message is the message’s', async () => {
    const { conversationId } = await deliver({}, { to: 'desk@here.example' });
    const reply = await replyTo(desk.actor, replyInput.parse({ conversationId, text: 'Yes' }));
    const { id } = await prisma().outboxMail.findFirstOrThrow({ where: { messageId: reply.id } });
    expect((await call('GET', `/api/mail/outbox/${id}/html`, { headers: { cookie } })).status).toBe(404);
    expect((await call('GET', `/api/mail/messages/${reply.id}/html`, { headers: { cookie } })).text).toContain('Yes');
  });
});

test('a quarantined message comes as it came in, to its owner alone', async () => {
  const parts = '--b\nContent-Type: text/plain\n\nx\n'.repeat(1_200);
  const bytes = mailBytes({ headers: { 'Content-Type': 'multipart/mixed; boundary=b' }, body: parts });
  const reception = await receiveBytes(bytes, { to: 'desk@here.example' });
  const id = reception.kind === 'quarantined' ? reception.quarantineIds[0] : '';
  const answer = await call('GET', `/api/mail/quarantine/${id}`, { headers: { cookie } });
  expect([answer.status, digest(answer.bytes)]).toEqual([200, digest(bytes)]);
  expect(answer.headers['content-disposition']).toContain('.eml');
  expect((await call('GET', `/api/mail/quarantine/${id}`, { headers: { cookie: strangersCookie } })).status).toBe(404);
});

test.each([
  '/constructor/0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50',
  '/__proto__/0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50',
  '',
  '/attachments',
  '/attachments/x',
  '/messages/0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50',
  '/x/y/z',
  '/attachments/0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50/html',
])('there is nothing at /api/mail%s', async (path) => {
  const answer = await call('GET', `/api/mail${path}`, { headers: { cookie } });
  expect(answer.status).toBe(404);
  expect(answer.body).toMatchObject({ error: 'Not found', code: 'not_found' });
  expect((await call('POST', `/api/mail${path}`, { headers: { cookie } })).status).toBe(405);
});

test('a file that is gone from the disk is not found, and the row stays', async () => {
  const missing = await prisma().attachment.findFirstOrThrow({ where: { isInline: true } });
  await prisma().attachment.updateMany({ where: { id: missing.id }, data: { sha256: '0'.repeat(64) } });
  expect((await call('GET', `/api/v1/attachments/${missing.id}`, { key: desk.key })).status).toBe(404);
});
