import { v7 as uuidv7 } from 'uuid';
import { beforeAll, expect, test } from 'vitest';
import { createAgent, updateAgent } from '@/server/features/agents/agent.service';
import { setSignature } from '@/server/features/team/signature.service';
import { pool } from '@/server/platform/db/pool';
import { prisma } from '@/server/platform/db/prisma';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { deliver } from '@/server/testing/mail';
import { withHttpServer } from '@/server/testing/rest';
import { cancelMessage } from './cancel.service';
import { saveDraftInput } from './draft.schema';
import { getDraft, saveDraft } from './draft.service';
import { newConversationInput, replyInput } from './message.schema';
import { startConversation } from './new-conversation.service';
import { replyTo } from './reply.service';
import { uploadAttachment } from './upload.service';

withFreshDatabase();
const call = withHttpServer();

let desk: TestIdentity;

beforeAll(async () => {
  desk = await createTestIdentity({ address: 'desk@here.example' });
});

async function upload(contentType = 'image/png'): Promise<string> {
  const file = { sha256: 'b'.repeat(64), size: 9, filename: 'map.png', contentType };
  return (await uploadAttachment(desk.actor, file, {})).id;
}

const write = (input: object, actor: Parameters<typeof startConversation>[0] = desk.actor) =>
  startConversation(
    actor,
    newConversationInput.parse({ to: ['ann@x.io'], subject: 'x', text: 'x', format: 'markdown', holdSeconds: 30, ...input }),
  );

const filesOf = (messageId: string) => prisma().attachment.findMany({ where: { messageId }, orderBy: { position: 'asc' } });

async function mailOf(messageId: string) {
  const { mail } = await prisma().outboxMail.findFirstOrThrow({ where: { messageId } });
  return mail as { text: string; html: string; attachments?: { contentId?: string }[] };
}

test('Markdown is sent as HTML and as text', async () => {
  const { message } = await write({ text: 'Hello **Ann**,\n\n[the shop](https://x.example)' });
  const html = '<p>Hello <strong>Ann</strong>,</p>\n<p><a href="https://x.example">the shop</a></p>';
  expect(message).toMatchObject({ html, text: 'Hello Ann,\n\nthe shop (https://x.example)\n' });
  expect(await mailOf(message.id)).toMatchObject({ html, text: message.text });
  const { conversationId } = await deliver({}, { to: 'desk@here.example' });
  const reply = await replyTo(desk.actor, replyInput.parse({ conversationId, text: '*Yes*', format: 'markdown', quote: true }));
  expect(reply.html).toMatch(/^<p><em>Yes<\/em><\/p>\n<p>On .*<blockquote/s);
  expect(reply.text).toMatch(/^Yes\n\nOn .*wrote:\n> /s);
  expect((await write({ text: '**x**', format: undefined })).message).toMatchObject({ text: '**x**\n', html: '<p>**x**</p>' });
});

test('pictures of the text are attachments that the HTML shows', async () => {
  const [map, plan] = [await upload(), await upload()];
  const { message } = await write({ text: `![Map](attachment:${map})`, attachmentIds: [plan, map] });
  expect(message.html).toContain(`src="cid:${map}@frontdesk"`);
  const files = await filesOf(message.id);
  expect(files.map(({ id, contentId, isInline }) => [id, contentId, isInline])).toEqual([
    [plan, null, false],
    [map, `${map}@frontdesk`, true],
  ]);
  expect((await mailOf(message.id)).attachments?.map(({ contentId }) => contentId)).toEqual([undefined, `${map}@frontdesk`]);
});

test('names the field of what it refuses, and changes nothing', async () => {
  const [map, pdf] = [await upload(), await upload('application/pdf')];
  const before = await prisma().message.count();
  const fieldsOf = async (json: object) => {
    const body = { to: ['ann@x.io'], subject: 'x', format: 'markdown', ...json };
    const answer = await call('POST', '/api/v1/conversations', { key: desk.key, json: body });
    expect(answer.status).toBe(400);
    return (answer.body as { details: { fields: object } }).details.fields;
  };
  expect(await fieldsOf({ text: 'x', html: '<p>x</p>' })).toEqual({ html: 'can’t be given with `format` markdown' });
  expect(await fieldsOf({ text: `![x](attachment:${map})` })).toEqual({
    text: `shows the picture ${map}, which is not in attachmentIds`,
  });
  expect(await fieldsOf({ text: `![x](attachment:${pdf})`, attachmentIds: [pdf] })).toEqual({
    text: `shows ${pdf}, which is not a picture`,
  });
  expect(await fieldsOf({ text: 'x', format: 'html' })).toHaveProperty('format');
  expect(await prisma().message.count()).toBe(before);
});

test('a cancelled email is its Markdown again, with its pictures', async () => {
  const map = await upload();
  const text = `Hello\n\n![Map](attachment:${map})`;
  const { message } = await write({ text, attachmentIds: [map] });
  // It is an attachment of another email by now, so this one gets a copy.
  const { message: second } = await write({ text, attachmentIds: [map] });
  const cancel = ({ conversationId, id: messageId }: typeof message) => cancelMessage(desk.actor, { conversationId, messageId });
  const { draft: copied } = await cancel(second);
  const [copy] = copied.attachments;
  expect(copy?.id).not.toBe(map);
  expect(copied).toMatchObject({ format: 'markdown', text: `Hello\n\n![Map](attachment:${copy?.id})`, html: null });
  const { draft } = await cancel(message);
  expect(draft).toMatchObject({ format: 'markdown', text, attachments: [{ id: map }] });
  const released = await prisma().attachment.findMany({ where: { id: { in: [map, copy?.id ?? ''] } } });
  expect(released.map(({ contentId, isInline, messageId }) => [contentId, isInline, messageId])).toEqual([
    [null, false, null],
    [null, false, null],
  ]);
  // As it was, it can be sent again.
  const { text: again, attachments } = copied;
  expect((await write({ text: again, attachmentIds: attachments.map(({ id }) => id) })).message.html).toContain('cid:');
});

test('an email that an older version has queued becomes a draft in plain text', async () => {
  const { message } = await write({ text: 'Hello', format: undefined });
  await pool().query(`UPDATE outbox_mails SET draft = draft - 'format' WHERE message_id = $1`, [message.id]);
  const { draft } = await cancelMessage(desk.actor, { conversationId: message.conversationId, messageId: message.id });
  expect(draft).toMatchObject({ format: 'plain', text: 'Hello' });
});

test('a draft keeps its format', async () => {
  const draftId = uuidv7();
  await saveDraft(desk.actor, saveDraftInput.parse({ draftId, text: '**x**', format: 'markdown' }));
  expect(await getDraft(desk.actor, draftId)).toMatchObject({ format: 'markdown', text: '**x**' });
  await saveDraft(desk.actor, saveDraftInput.parse({ draftId, text: 'x' }));
  expect(await getDraft(desk.actor, draftId)).toMatchObject({ format: 'plain' });
  const { body } = await call('GET', '/api/v1/drafts', { key: desk.key });
  expect(body).toMatchObject({ drafts: expect.arrayContaining([expect.objectContaining({ id: draftId, format: 'plain' })]) });
});

test('members sign with their own signature, agents with theirs, and programs with none', async () => {
  await setSignature(desk.actor, { signature: ' Mara\nHarbor Lane ' });
  const agent = await createAgent(desk.actor, { name: 'Helper', roleId: 'helper', kind: 'support' });
  await updateAgent(desk.actor, { agentId: agent.id, persona: { signature: 'The helper' } });
  expect((await write({ text: 'x' })).message).toMatchObject({
    text: 'x\n\n-- \nMara\nHarbor Lane\n',
    html: expect.stringContaining('<div class="signature"><p>Mara<br>\nHarbor Lane</p></div>'),
  });
  const { conversationId } = await deliver({}, { to: 'desk@here.example' });
  const reply = (input: object, actor: Parameters<typeof replyTo>[0] = desk.actor) =>
    replyTo(actor, replyInput.parse({ conversationId, text: 'x', ...input }));
  expect((await reply({})).text).toBe('x\n\n-- \nMara\nHarbor Lane\n');
  expect((await reply({ agentId: agent.id })).text).toBe('x\n\n-- \nThe helper\n');
  expect((await reply({}, desk.apiKeyActor)).text).toBe('x\n');
  expect((await write({}, desk.apiKeyActor)).message.text).toBe('x\n');
  const other = await createTestIdentity({
    address: `desk@${desk.handle}.example`,
    ownerEmail: desk.owner.email,
    existingOwner: true,
  });
  expect((await write({}, other.actor)).message.text).toBe('x\n');
});
