import { v7 as uuidv7 } from 'uuid';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createAgent } from '@/server/features/agents/agent.service';
import { pool } from '@/server/platform/db/pool';
import { prisma } from '@/server/platform/db/prisma';
import { transaction } from '@/server/platform/db/transaction';
import { withFreshDatabase } from '@/server/testing/database';
import { committedEvents } from '@/server/testing/events';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { deliver } from '@/server/testing/mail';
import { withHttpServer } from '@/server/testing/rest';
import { addTestMember } from '@/server/testing/team';
import { type ListDraftsInput, listDraftsInput, saveDraftInput, saveReplyDraftInput } from './draft.schema';
import {
  deleteConversationDraft,
  deleteDraft,
  getConversationDraft,
  getDraft,
  listDrafts,
  saveConversationDraft,
  saveDraft,
} from './draft.service';
import { mergeConversations } from './merge';
import { newConversationInput, replyInput } from './message.schema';
import { startConversation } from './new-conversation.service';
import { replyTo } from './reply.service';
import { deleteConversation } from './trash.service';
import { removeUnusedUploads, uploadAttachment } from './upload.service';

withFreshDatabase();
const call = withHttpServer();

let desk: TestIdentity;
let address: string;

beforeAll(async () => {
  desk = await createTestIdentity({ address: 'desk@here.example' });
});

beforeEach(async () => {
  address = 'desk@here.example';
  await pool().query('DELETE FROM mail_drafts');
});

const save = (input: object = {}, actor: Parameters<typeof saveDraft>[0] = desk.actor) =>
  saveDraft(actor, saveDraftInput.parse({ draftId: uuidv7(), ...input }));

const list = (actor: Parameters<typeof listDrafts>[0] = desk.actor, input: Partial<ListDraftsInput> = {}) =>
  listDrafts(actor, listDraftsInput.parse(input));

const receive = () => deliver({}, { to: address });

async function upload(): Promise<string> {
  const file = { sha256: 'a'.repeat(64), size: 9, filename: 'offer.pdf', contentType: 'application/pdf' };
  return (await uploadAttachment(desk.actor, file, {})).id;
}

const content = {
  from: 'desk@here.example',
  to: [
    { email: 'ann@quark.example', displayName: 'Ann' },
    { email: 'not yet', displayName: null },
  ],
  cc: [],
  bcc: [{ email: 'bob@quark.example', displayName: null }],
  subject: 'Your order',
  text: 'It is',
  html: '<p>It is</p>',
  agentId: null,
  quote: true,
};

test('a draft is kept as it is typed, replaced as a whole, and listed by the time it was saved', async () => {
  const attachmentId = await upload();
  const first = await save({ ...content, attachmentIds: [attachmentId] });
  expect(first).toMatchObject({ ...content, revision: 1, attachments: [{ id: attachmentId, filename: 'offer.pdf', size: 9 }] });
  const second = await save({ subject: 'Another' });
  expect(await getDraft(desk.actor, first.id)).toEqual(first);
  const replaced = await save({ draftId: first.id, text: 'It is ready.' });
  expect(replaced).toMatchObject({ to: [], subject: '', text: 'It is ready.', html: null, attachments: [], revision: 2 });
  expect(replaced.createdAt).toBe(first.createdAt);
  const { drafts, total } = await list();
  expect(drafts.map(({ id, preview }) => [id, preview])).toEqual([
    [first.id, 'It is ready.'],
    [second.id, ''],
  ]);
  expect(total).toBe(2);
  await deleteDraft(desk.actor, first.id);
  await expect(getDraft(desk.actor, first.id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(deleteDraft(desk.actor, first.id)).rejects.toMatchObject({ code: 'not_found' });
});

test('pages of the list follow each other', async () => {
  for (let i = 0; i < 5; i++) await save({ text: String(i) });
  const first = await list(desk.actor, { limit: 3 });
  expect(first).toMatchObject({ total: 5, hasMore: true });
  const second = await list(desk.actor, { limit: 3, cursor: first.nextCursor ?? '' });
  expect([...first.drafts, ...second.drafts].map(({ preview }) => preview)).toEqual(['4', '3', '2', '1', '0']);
  expect(second).toMatchObject({ total: 5, hasMore: false, nextCursor: null });
});

test('colleagues and agents have drafts of their own, also in the same conversation', async () => {
  const { conversationId } = await receive();
  const colleague = (await addTestMember(desk, 'member')).actor;
  const { id: agentId } = await createAgent(desk.actor, { name: 'Night', roleId: 'night', kind: 'assistant' });
  const agent = { ...desk.apiKeyActor, agent: { id: agentId, name: 'Night', status: 'active' as const } };
  const authors = [desk.actor, colleague, agent];
  for (const [index, author] of authors.entries()) {
    await saveConversationDraft(author, saveReplyDraftInput.parse({ conversationId, text: String(index) }));
  }
  for (const [index, author] of authors.entries()) {
    const { draft } = await getConversationDraft(author, conversationId);
    expect(draft).toMatchObject({ conversationId, text: String(index) });
    expect((await list(author)).drafts.map(({ preview }) => preview)).toEqual([String(index)]);
    const others = authors.filter((other) => other !== author);
    for (const other of others) {
      await expect(getDraft(other, draft?.id ?? '')).rejects.toMatchObject({ code: 'not_found' });
      await expect(deleteDraft(other, draft?.id ?? '')).rejects.toMatchObject({ code: 'not_found' });
      await expect(save({ draftId: draft?.id }, other)).rejects.toMatchObject({ code: 'not_found' });
    }
  }
  // A program writes for the owner.
  expect((await getConversationDraft(desk.apiKeyActor, conversationId)).draft?.text).toBe('0');
  expect(await committedEvents(desk)).not.toContainEqual(expect.objectContaining({ type: expect.stringContaining('draft') }));
});

test('an author has one draft in a conversation, however they save it', async () => {
  const { conversationId } = await receive();
  const reply = (text: string) => saveConversationDraft(desk.actor, saveReplyDraftInput.parse({ conversationId, text }));
  const saved = await Promise.all(Array.from({ length: 6 }, (_, index) => reply(String(index))));
  const ids = new Set(saved.map(({ draft }) => draft?.id));
  expect(ids.size).toBe(1);
  const [draftId = ''] = ids;
  await expect(save({ conversationId })).rejects.toMatchObject({ code: 'conflict', details: { draftId } });
  expect(await save({ draftId, conversationId, text: 'Mine' })).toMatchObject({ id: draftId, text: 'Mine' });
  expect(await deleteConversationDraft(desk.actor, conversationId)).toEqual({ draft: null });
  expect(await getConversationDraft(desk.actor, conversationId)).toEqual({ draft: null });
  expect(await deleteConversationDraft(desk.actor, conversationId)).toEqual({ draft: null });
});

test('a draft that was changed on another device is not overwritten', async () => {
  const { key } = desk;
  const path = `/api/v1/drafts/${uuidv7()}`;
  const first = await call('PUT', path, { key, json: { text: 'One' } });
  expect(first).toMatchObject({ status: 200, body: { revision: 1, text: 'One' } });
  const tag = String(first.headers.etag);
  const second = await call('PUT', path, { key, json: { text: 'Two' }, headers: { 'if-match': tag } });
  expect(second).toMatchObject({ status: 200, body: { revision: 2 } });
  const late = await call('PUT', path, { key, json: { text: 'Late' }, headers: { 'if-match': tag } });
  expect(late).toMatchObject({ status: 412 });
  expect((await call('GET', path, { key })).body).toMatchObject({ text: 'Two' });
  await call('DELETE', path, { key });
  const gone = await call('PUT', path, { key, json: { text: 'Late' }, headers: { 'if-match': tag } });
  expect(gone).toMatchObject({ status: 412 });
  expect(await call('GET', path, { key })).toMatchObject({ status: 404 });
});

test('what a draft names must be there', async () => {
  const stranger = await createTestIdentity({ address: 'desk@elsewhere.example' });
  const theirs = await deliver({}, { to: 'desk@elsewhere.example' });
  await expect(save({ conversationId: theirs.conversationId })).rejects.toMatchObject({ code: 'not_found' });
  await expect(save({ forwardMessageId: theirs.messageId })).rejects.toMatchObject({
    details: { fields: { forwardMessageId: 'is not a message' } },
  });
  await expect(save({ attachmentIds: [await upload(), uuidv7()] })).rejects.toMatchObject({
    details: { fields: { 'attachmentIds.1': 'is not an attachment' } },
  });
  const foreign = await save({}, stranger.actor);
  expect((await save({ draftId: foreign.id, text: 'Mine' })).text).toBe('Mine');
  expect((await getDraft(stranger.actor, foreign.id)).text).toBe('');
});

test('there are at most 200 of an author, and they can still be changed', async () => {
  const { id } = await save();
  await pool().query(
    `INSERT INTO mail_drafts (identity_id, author_user_id, id, "to", cc, bcc, subject, text, quote, attachment_ids)
      SELECT $1, $2, gen_random_uuid(), '[]', '[]', '[]', '', '', false, '{}' FROM generate_series(1, 199)`,
    [desk.identityId, desk.owner.userId],
  );
  await expect(save()).rejects.toMatchObject({ code: 'conflict' });
  expect(await save({ draftId: id, text: 'x' })).toMatchObject({ text: 'x' });
});

test('sending deletes the draft, once, from whatever device', async () => {
  const { conversationId } = await receive();
  const { id: draftId } = await save({ conversationId, text: 'Yes' });
  const send = () => replyTo(desk.actor, replyInput.parse({ conversationId, text: 'Yes', draftId }));
  const results = await Promise.allSettled([send(), send(), send()]);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const [refused] = results.filter((result) => result.status === 'rejected');
  expect(refused?.reason).toMatchObject({ code: 'conflict', details: { draftId } });
  expect(await getConversationDraft(desk.actor, conversationId)).toEqual({ draft: null });
  expect(await prisma().message.count({ where: { conversationId, direction: 'outbound' } })).toBe(1);

  const { id: other } = await save({ subject: 'x' });
  const write = (input: object) =>
    startConversation(
      desk.actor,
      newConversationInput.parse({ to: ['ann@x.io'], subject: 'x', text: 'x', draftId: other, ...input }),
    );
  // What is refused leaves the draft.
  await expect(write({ from: 'ceo@elsewhere.example' })).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await getDraft(desk.actor, other)).toBeDefined();
  await write({});
  await expect(write({})).rejects.toMatchObject({ code: 'conflict' });
});

test('the sweep leaves files of drafts, and takes them once the draft is gone', async () => {
  const [kept, unused] = [await upload(), await upload()];
  const { id: draftId } = await save({ attachmentIds: [kept] });
  const age = () => prisma().attachment.updateMany({ where: { messageId: null }, data: { uploadedAt: new Date(0) } });
  const left = async () => (await prisma().attachment.findMany({ where: { messageId: null } })).map(({ id }) => id);
  await age();
  await removeUnusedUploads();
  expect(await left()).toEqual([kept]);
  expect(await left()).not.toContain(unused);
  // Naming it again begins its time again, for a sweep at the same moment.
  await save({ draftId, attachmentIds: [kept] });
  expect((await prisma().attachment.findFirstOrThrow({ where: { id: kept } })).uploadedAt?.getTime()).toBeGreaterThan(0);
  await deleteDraft(desk.actor, draftId);
  await age();
  await removeUnusedUploads();
  expect(await left()).toEqual([]);
});

test('a merged conversation’s draft moves; a second one of its author becomes a new email', async () => {
  const [one, two, three] = [await receive(), await receive(), await receive()];
  const first = await save({ conversationId: one.conversationId, text: 'first' });
  const second = await save({ conversationId: two.conversationId, text: 'second' });
  const merge = (survivor: string, merged: string) =>
    transaction(desk.actor, (client) => mergeConversations(client, desk.identityId, survivor, [merged]));
  await merge(three.conversationId, one.conversationId);
  expect(await getDraft(desk.actor, first.id)).toMatchObject({ conversationId: three.conversationId, text: 'first' });
  expect((await getConversationDraft(desk.actor, one.conversationId)).draft?.id).toBe(first.id);
  await merge(three.conversationId, two.conversationId);
  expect(await getDraft(desk.actor, second.id)).toMatchObject({ conversationId: null, text: 'second' });
  expect((await getConversationDraft(desk.actor, two.conversationId)).draft?.id).toBe(first.id);
});

test('drafts go with their conversation, and with the membership of their author', async () => {
  const { conversationId } = await receive();
  const { id } = await save({ conversationId });
  await deleteConversation(desk.actor, { conversationId, permanent: true });
  await expect(getDraft(desk.actor, id)).rejects.toMatchObject({ code: 'not_found' });
  const colleague = (await addTestMember(desk, 'member')).actor;
  await save({}, colleague);
  await prisma().membership.deleteMany({ where: { userId: colleague.userId } });
  expect(await prisma().mailDraft.count()).toBe(0);
});
