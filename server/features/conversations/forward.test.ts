import { beforeAll, expect, test } from 'vitest';
import { prisma } from '@/server/platform/db/prisma';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { deliver } from '@/server/testing/mail';
import { withHttpServer } from '@/server/testing/rest';
import { createApiKey } from '../api-keys/api-key.service';
import { newConversationInput } from './message.schema';
import { getNewEmailDraft, startConversation } from './new-conversation.service';

withFreshDatabase();
const call = withHttpServer();

let desk: TestIdentity;
const address = 'desk@here.example';

beforeAll(async () => {
  desk = await createTestIdentity({ address, displayName: 'The Desk' });
});

/** An email with a plan as its attachment. */
async function receive(headers: Record<string, string> = {}) {
  const type = { 'Content-Type': 'application/pdf; name="plan.pdf"' };
  return deliver({ headers: { From: 'Ann <ann@quark.example>', Subject: 'The plan', ...type, ...headers } }, { to: address });
}

const forward = (forwardMessageId: string, input: object = {}) =>
  startConversation(
    desk.actor,
    newConversationInput.parse({ to: ['bob@quark.example'], subject: 'Fwd: The plan', text: '', forwardMessageId, ...input }),
  );

const filesOf = async (messageId: string) =>
  (await prisma().attachment.findMany({ where: { messageId }, orderBy: { position: 'asc' } })).map(({ filename }) => filename);

test('a forwarded message begins a conversation of its own, with its attachments, and keeps them', async () => {
  const received = await receive();
  const { conversation, message } = await forward(received.messageId);
  expect(conversation.id).not.toBe(received.conversationId);
  expect(message).toMatchObject({ subject: 'Fwd: The plan', inReplyTo: null, references: [], attachmentCount: 1 });
  expect(message.text).toMatch(/^-+ Forwarded message -+\nFrom: Ann <ann@quark.example>\nDate: .* UTC\nSubject: The plan\nTo: /);
  expect(message.html).toMatch(/Ann &lt;.*ann@quark\.example.*&gt;/);
  expect(await filesOf(message.id)).toEqual(['plan.pdf']);
  expect(await filesOf(received.messageId)).toEqual(['plan.pdf']);

  // What is answered to it is not an answer to Ann.
  const answer = await deliver(
    { headers: { 'In-Reply-To': message.messageIdHeader, From: 'bob@quark.example' } },
    { to: address },
  );
  expect(answer.conversationId).toBe(conversation.id);
});

test('the text and the signature come first, and other attachments may take the place of its own', async () => {
  const { messageId } = await receive();
  const { message } = await forward(messageId, { text: 'See below.', html: '<p>See <b>below</b>.</p>', attachmentIds: [] });
  expect(message.text).toMatch(/^See below\.\n\n-+ Forwarded message/);
  expect(message.html).toMatch(/^<p>See <b>below<\/b>\.<\/p>\n/);
  expect(message.attachmentCount).toBe(0);
});

test('the dashboard shows what will be sent', async () => {
  const { messageId } = await receive();
  const { forwarded, senders } = await getNewEmailDraft(desk.actor, { forwardMessageId: messageId });
  expect(senders.map(({ email }) => email)).toContain(address);
  expect(forwarded).toMatchObject({
    subject: 'Fwd: The plan',
    attachments: [{ filename: 'plan.pdf', contentType: 'application/pdf' }],
  });
  const { message } = await forward(messageId);
  expect(message.text).toBe(`${forwarded?.quotation}\n`);
  expect(await getNewEmailDraft(desk.actor, {})).toMatchObject({ forwarded: null });
});

test('what is no message of the business is refused, and nothing is written', async () => {
  const stranger = await createTestIdentity({ address: 'desk@elsewhere.example' });
  const { messageId } = await deliver({}, { to: 'desk@elsewhere.example' });
  const before = await prisma().conversation.count({ where: { identityId: desk.identityId } });
  await expect(forward(messageId)).rejects.toMatchObject({ details: { fields: { forwardMessageId: 'is not a message' } } });
  await expect(getNewEmailDraft(desk.actor, { forwardMessageId: messageId })).rejects.toMatchObject({ code: 'not_found' });
  expect(await prisma().conversation.count({ where: { identityId: desk.identityId } })).toBe(before);
  expect(await getNewEmailDraft(stranger.actor, { forwardMessageId: messageId })).toHaveProperty('forwarded.subject');
});

test('a key that may not read forwards nothing', async () => {
  const { messageId } = await receive();
  const { key } = await createApiKey(desk.actor, { name: 'Form', expiresAt: null, scopes: ['conversations:send'] });
  const json = { to: ['bob@quark.example'], subject: 'x', text: '', forwardMessageId: messageId };
  expect(await call('POST', '/api/v1/conversations', { key, json })).toMatchObject({
    status: 403,
    body: { code: 'insufficient_scope' },
  });
  const { status, body } = await call('POST', '/api/v1/conversations', { key: desk.key, json });
  expect([status, body]).toMatchObject([201, { message: { attachmentCount: 1 } }]);
});
