import { describe, expect, test } from 'vitest';
import { listAuditInput } from '@/server/features/audit/audit.schema';
import { listAudit } from '@/server/features/audit/audit.service';
import { listNotifications } from '@/server/features/notifications/notification.service';
import { getQuotaUse } from '@/server/features/usage/quota.service';
import { pool } from '@/server/platform/db/pool';
import { removeExpired } from '@/server/platform/jobs/expiry';
import { removals } from '@/server/registry';
import { withFreshDatabase } from '@/server/testing/database';
import { createFilledDesk, createTestDesk } from '@/server/testing/desk';
import { eventsOf } from '@/server/testing/events';
import { createTestIdentity } from '@/server/testing/identity';
import { deliver, testMessageId } from '@/server/testing/mail';
import { addTestMember } from '@/server/testing/team';
import { listConversationsInput } from './conversation.schema';
import { getConversation, getThread, listConversations } from './conversation.service';
import { deleteConversationsInput } from './conversation-bulk.schema';
import { updateConversation } from './conversation-update.service';
import { getLiveCounts } from './live-counts.service';
import { replyInput } from './message.schema';
import { addNoteInput } from './note.schema';
import { addNote } from './note.service';
import { replyTo } from './reply.service';
import { deleteConversation, deleteConversations, removeOldTrash, restoreConversation } from './trash.service';

withFreshDatabase();

type Desk = Awaited<ReturnType<typeof createTestDesk>>;

const trash = (desk: Desk, conversationId: string) => deleteConversation(desk.actor, { conversationId, permanent: false });
const remove = (desk: Desk, conversationId: string) => deleteConversation(desk.actor, { conversationId, permanent: true });
const deleteMany = (desk: Desk, input: object) => deleteConversations(desk.actor, deleteConversationsInput.parse(input));

const inDays = (days: number) => Date.now() + days * 86_400_000;

/** Makes what is in the trash, and what is known of deleted messages, older. */
async function age(desk: Desk, days: number): Promise<void> {
  const values = [desk.identityId, days];
  await pool().query(
    'UPDATE conversations SET trashed_at = trashed_at - make_interval(days => $2) WHERE identity_id = $1',
    values,
  );
  await pool().query(
    'UPDATE deleted_messages SET deleted_at = deleted_at - make_interval(days => $2) WHERE identity_id = $1',
    values,
  );
}

const rowsOf = async (desk: Desk, table: string) =>
  (await pool().query(`SELECT 1 FROM ${table} WHERE identity_id = $1`, [desk.identityId])).rows.length;

describe('the trash', () => {
  test('has deleted conversations, and no other list or count has them', async () => {
    const desk = await createFilledDesk();
    for (const id of desk.ids) {
      const { restorableUntil } = await trash(desk, id);
      expect(Math.abs(Date.parse(restorableUntil ?? '') - inDays(30))).toBeLessThan(60_000);
    }
    expect(await desk.list({ isArchived: true, isSpam: true })).toMatchObject({ conversations: [], total: 0 });
    for (const filter of [
      { folder: 'inbox' },
      { folder: 'archived' },
      { folder: 'spam' },
      { status: 'pending' },
      { search: 'First' },
    ]) {
      expect(await desk.subjects(filter)).toEqual([]);
    }
    expect(await desk.subjects({ folder: 'trash' })).toEqual(['Fourth', 'Third 100%', 'Second', 'First']);
    expect(await desk.list({ isTrashed: true, isArchived: true, isSpam: true })).toMatchObject({ total: 4, totalIsExact: true });
    expect(await desk.subjects({ isTrashed: true })).toEqual(['Second', 'First']);
    expect(await getLiveCounts(desk.actor)).toMatchObject({ unread: 0, inbox: 0, archived: 0, spam: 0, trash: 4 });
  });

  test('restores a conversation unchanged', async () => {
    const desk = await createFilledDesk();
    const before = await getConversation(desk.actor, desk.ids[2] ?? '');
    await trash(desk, before.id);
    expect(await getConversation(desk.actor, before.id)).toMatchObject({ isTrashed: true, isArchived: true });
    const restored = await restoreConversation(desk.actor, before.id);
    expect(restored).toEqual({ ...before, revision: before.revision + 2, updatedAt: restored.updatedAt });
    expect(restored).toMatchObject({ isTrashed: false, restorableUntil: null });
    expect(await getLiveCounts(desk.actor)).toMatchObject({ archived: 1, trash: 0 });
  });

  test('repeated calls change nothing, and write no event', async () => {
    const desk = await createFilledDesk();
    const [id = ''] = desk.ids;
    const first = await trash(desk, id);
    await age(desk, 5);
    const events = await eventsOf(desk, async () => {
      const again = await trash(desk, id);
      expect(Date.parse(first.restorableUntil ?? '') - Date.parse(again.restorableUntil ?? '')).toBe(5 * 86_400_000);
      expect(await deleteMany(desk, { ids: [id] })).toMatchObject({ deleted: 0 });
    });
    expect(events).toEqual([]);
    await restoreConversation(desk.actor, id);
    expect(await eventsOf(desk, () => restoreConversation(desk.actor, id))).toEqual([]);
  });

  test('deleting and restoring are events', async () => {
    const desk = await createFilledDesk();
    const [id = ''] = desk.ids;
    const events = await eventsOf(desk, async () => {
      await trash(desk, id);
      await restoreConversation(desk.actor, id);
    });
    expect(events.map(({ type, data }) => [type, data.object?.isTrashed, data.previousAttributes?.isTrashed])).toEqual([
      ['conversation.updated', true, false],
      ['conversation.updated', false, true],
    ]);
  });

  test('the audit log says who deleted and restored what', async () => {
    const desk = await createFilledDesk();
    const [id = ''] = desk.ids;
    await trash(desk, id);
    await restoreConversation(desk.actor, id);
    await remove(desk, id);
    const { entries } = await listAudit(desk.actor, listAuditInput.parse({ resource: 'conversation', resourceId: id, limit: 3 }));
    expect(entries).toMatchObject([
      { action: 'deleted', author: { kind: 'owner' }, resource: 'conversation', label: 'First' },
      { action: 'updated', changes: [{ field: 'isTrashed', before: true, after: false }] },
      { action: 'updated', changes: [{ field: 'isTrashed', before: false, after: true }] },
    ]);
  });

  test('a new message restores a conversation, a repeated one does not', async () => {
    const desk = await createTestDesk();
    const first = { 'Message-ID': testMessageId() };
    const { conversationId } = await deliver({ headers: first }, { to: desk.address });
    await trash(desk, conversationId);
    expect(await deliver({ headers: first }, { to: desk.address })).toMatchObject({ conversationId, isNew: false });
    expect(await desk.subjects()).toEqual([]);
    await deliver({ headers: { 'In-Reply-To': first['Message-ID'] } }, { to: desk.address });
    expect(await getConversation(desk.actor, conversationId)).toMatchObject({ isTrashed: false, messageCount: 2 });
    await trash(desk, conversationId);
    await replyTo(desk.actor, replyInput.parse({ conversationId, text: 'Yes.' }));
    expect(await getConversation(desk.actor, conversationId)).toMatchObject({ isTrashed: false, messageCount: 3 });
  });

  test('is emptied after 30 days, not before', async () => {
    const desk = await createFilledDesk();
    for (const id of desk.ids.slice(0, 2)) await trash(desk, id);
    await age(desk, 29);
    await removeExpired([removeOldTrash]);
    expect(await desk.subjects({ folder: 'trash' })).toHaveLength(2);
    await age(desk, 1);
    const events = await eventsOf(desk, () => removeExpired(removals));
    expect(events.map(({ type, actor }) => [type, actor.type])).toEqual([
      ['conversation.deleted', 'system'],
      ['conversation.deleted', 'system'],
    ]);
    expect(await desk.list({ isTrashed: true, isArchived: true, isSpam: true })).toMatchObject({ total: 2 });
  });

  test('leaves mail that waits to be sent', async () => {
    const desk = await createTestDesk();
    const { conversationId } = await deliver({}, { to: desk.address });
    await replyTo(desk.actor, replyInput.parse({ conversationId, text: 'Yes.' }));
    await trash(desk, conversationId);
    await expect(remove(desk, conversationId)).rejects.toMatchObject({ code: 'conflict' });
    expect(await deleteMany(desk, { folder: 'trash' })).toEqual({ success: true, deleted: 0, hasMore: false });
    await age(desk, 31);
    await removeExpired([removeOldTrash]);
    expect(await getConversation(desk.actor, conversationId)).toMatchObject({ isTrashed: true });
    await pool().query(`UPDATE outbox_mails SET state = 'failed' WHERE identity_id = $1`, [desk.identityId]);
    await removeExpired([removeOldTrash]);
    await expect(getConversation(desk.actor, conversationId)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('permanent deletion', () => {
  test('removes everything that belongs to the conversation, and frees its storage', async () => {
    const desk = await createTestDesk();
    const member = await addTestMember(desk, 'member');
    const unused = (await getQuotaUse(desk.identityId)).storage.current;
    const headers = { 'Content-Type': 'application/pdf; name="plan.pdf"' };
    const { conversationId, messageId } = await deliver({ headers }, { to: desk.address });
    await addNote(desk.actor, addNoteInput.parse({ conversationId, text: 'Internal', mentions: [member.actor.userId] }));
    await updateConversation(desk.actor, { conversationId, assignee: { type: 'member', id: member.actor.userId } });
    expect((await getQuotaUse(desk.identityId)).storage.current).toBeGreaterThan(unused + 2_000);
    const before = await getConversation(desk.actor, conversationId);
    const events = await eventsOf(desk, async () => {
      expect(await remove(desk, conversationId)).toEqual({ success: true, restorableUntil: null });
    });
    expect(events).toMatchObject([{ type: 'conversation.deleted', object: { id: conversationId } }]);
    expect(events[0]?.data).toEqual({ object: before });
    await expect(getConversation(desk.actor, conversationId)).rejects.toMatchObject({ code: 'not_found' });
    await expect(getThread(desk.actor, { messageId })).rejects.toMatchObject({ code: 'not_found' });
    await expect(restoreConversation(desk.actor, conversationId)).rejects.toMatchObject({ code: 'not_found' });
    for (const table of ['messages', 'attachments', 'conversation_notes', 'conversation_participants', 'conversations']) {
      expect([table, await rowsOf(desk, table)]).toEqual([table, 0]);
    }
    expect((await getQuotaUse(desk.identityId)).storage.current).toBe(unused);
    expect((await listNotifications(member.actor, { limit: 10 })).notifications).toEqual([]);
    expect(await getLiveCounts(desk.actor)).toMatchObject({ inbox: 0, trash: 0 });
  });

  test('a message that is delivered again within 30 days is not stored', async () => {
    const desk = await createTestDesk();
    const headers = { 'Message-ID': testMessageId() };
    const { conversationId, messageId } = await deliver({ headers }, { to: desk.address });
    await remove(desk, conversationId);
    expect(await deliver({ headers }, { to: desk.address })).toMatchObject({ conversationId, messageId, isNew: false });
    expect(await desk.subjects()).toEqual([]);
    await age(desk, 31);
    await removeExpired([removeOldTrash]);
    expect(await deliver({ headers }, { to: desk.address })).toMatchObject({ isNew: true });
    // Deleted once more, it is known once more.
    const [found] = (await desk.list()).conversations;
    await remove(desk, found?.id ?? '');
    expect(await deliver({ headers }, { to: desk.address })).toMatchObject({ isNew: false });
  });

  test('an answer to it begins a new conversation', async () => {
    const desk = await createTestDesk();
    const headers = { 'Message-ID': testMessageId() };
    const { conversationId } = await deliver({ headers }, { to: desk.address });
    await remove(desk, conversationId);
    const answer = await deliver({ headers: { 'In-Reply-To': headers['Message-ID'] } }, { to: desk.address });
    expect(answer).toMatchObject({ isNew: true });
    expect(answer.conversationId).not.toBe(conversationId);
  });
});

describe('many at once', () => {
  const from = (email: string) => ({ headers: { From: `Eve <${email}>` } });

  test('by their ids; those of others and unknown ones are ignored', async () => {
    const [desk, other] = [await createFilledDesk(), await createFilledDesk()];
    const ids = [...desk.ids, ...other.ids, '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50'];
    expect(await deleteMany(desk, { ids })).toEqual({ success: true, deleted: 4, hasMore: false });
    expect(await desk.subjects({ folder: 'trash' })).toHaveLength(4);
    expect(await other.subjects({ folder: 'trash' })).toEqual([]);
    expect(await deleteMany(desk, { ids, permanent: true })).toMatchObject({ deleted: 4 });
    expect(await rowsOf(desk, 'messages')).toBe(0);
    expect(await rowsOf(other, 'messages')).toBe(4);
  });

  test('all from one sender, in any letter case, and no others', async () => {
    const desk = await createTestDesk();
    for (const email of ['eve@far.example', 'Eve@FAR.example', 'ann@far.example'])
      await deliver(from(email), { to: desk.address });
    expect(await deleteMany(desk, { senderEmail: 'EVE@far.example' })).toMatchObject({ deleted: 2 });
    expect((await desk.list()).conversations.map(({ counterpart }) => counterpart.email)).toEqual(['ann@far.example']);
    expect(await deleteMany(desk, { senderEmail: 'eve@far.example' })).toMatchObject({ deleted: 0 });
  });

  test('a folder', async () => {
    const desk = await createFilledDesk();
    expect(await deleteMany(desk, { folder: 'spam' })).toMatchObject({ deleted: 1 });
    expect(await desk.subjects({ folder: 'trash' })).toEqual(['Fourth']);
    expect(await deleteMany(desk, { folder: 'trash' })).toMatchObject({ deleted: 1 });
    expect(await desk.list({ isTrashed: true, isArchived: true, isSpam: true })).toMatchObject({ total: 3 });
  });

  test('a thousand a request, the rest with the next', async () => {
    const desk = await createTestDesk();
    await pool().query(
      `INSERT INTO conversations (id, identity_id, subject, preview, last_message_at, counterpart_email, is_spam)
        SELECT gen_random_uuid(), $1, 'Buy', '', now(), 'eve@far.example', true FROM generate_series(1, 1050)`,
      [desk.identityId],
    );
    expect(await deleteMany(desk, { folder: 'spam' })).toEqual({ success: true, deleted: 1_000, hasMore: true });
    expect(await deleteMany(desk, { folder: 'spam' })).toEqual({ success: true, deleted: 50, hasMore: false });
    expect(await getLiveCounts(desk.actor)).toMatchObject({ spam: 0, trash: 1_050 });
  });

  test.each([{}, { ids: [], folder: 'spam' }, { folder: 'spam', senderEmail: 'eve@far.example' }, { folder: 'inbox' }])(
    'are not chosen by %j',
    (input) => {
      expect(deleteConversationsInput.safeParse(input).success).toBe(false);
    },
  );
});

test('a conversation that is deleted while it gets a message is there with it, or the message begins another', async () => {
  const desk = await createTestDesk();
  for (const permanent of [false, true]) {
    const first = testMessageId();
    const { conversationId } = await deliver({ headers: { 'Message-ID': first } }, { to: desk.address });
    const [arrived] = await Promise.all([
      deliver({ headers: { 'In-Reply-To': first } }, { to: desk.address }),
      deleteConversation(desk.actor, { conversationId, permanent }),
    ]);
    // Deleted after the message came in, it goes with it.
    const left = await getConversation(desk.actor, arrived.conversationId).catch(() => null);
    if (left) expect(left.messageCount).toBe(permanent && arrived.conversationId !== conversationId ? 1 : left.messageCount);
    const counted = await getLiveCounts(desk.actor);
    expect(counted.inbox + counted.trash).toBe(await rowsOf(desk, 'conversations'));
    await deleteMany(desk, { senderEmail: 'ann@quark.example', permanent: true });
  }
});

test('a conversation of another identity is neither deleted nor restored', async () => {
  const desk = await createFilledDesk();
  const { actor } = await createTestIdentity();
  const [id = ''] = desk.ids;
  for (const permanent of [false, true]) {
    await expect(deleteConversation(actor, { conversationId: id, permanent })).rejects.toMatchObject({ code: 'not_found' });
  }
  await trash(desk, id);
  await expect(restoreConversation(actor, id)).rejects.toMatchObject({ code: 'not_found' });
  expect((await listConversations(actor, listConversationsInput.parse({ folder: 'trash' }))).total).toBe(0);
});
