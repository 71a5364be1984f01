import { describe, expect, test } from 'vitest';
import { listNotifications } from '@/server/features/notifications/notification.service';
import { pool } from '@/server/platform/db/pool';
import { withFreshDatabase } from '@/server/testing/database';
import { createFilledDesk } from '@/server/testing/desk';
import { eventsOf } from '@/server/testing/events';
import { createTestIdentity } from '@/server/testing/identity';
import { deliver } from '@/server/testing/mail';
import { addTestMember } from '@/server/testing/team';
import { getConversation, listMessages } from './conversation.service';
import { restoreConversationsInput, type UpdateConversationsInput } from './conversation-bulk.schema';
import { updateConversation, updateConversations } from './conversation-update.service';
import { listMessagesInput } from './message.schema';
import { deleteConversations, restoreConversations } from './trash.service';

withFreshDatabase();

type Desk = Awaited<ReturnType<typeof createFilledDesk>>;

const update = (desk: Desk, changes: Omit<UpdateConversationsInput, 'ids'>, ids = desk.ids.slice(0, 2)) =>
  updateConversations(desk.actor, { ids, ...changes });

const unknown = '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50';
const later = () => new Date(Date.now() + 3_600_000).toISOString();

describe('several conversations', () => {
  test('get the same change, each with its event; unknown and foreign ones are ignored', async () => {
    const desk = await createFilledDesk();
    const foreign = await deliver({}, { to: (await createFilledDesk()).address });
    const events = await eventsOf(desk, async () => {
      const ids = [...desk.ids.slice(0, 2), unknown, foreign.conversationId];
      expect(await update(desk, { isArchived: true, status: 'processing' }, ids)).toEqual({ success: true, updated: 2 });
    });
    expect(await desk.subjects({ folder: 'inbox' })).toEqual([]);
    expect(await desk.list({ status: 'processing', isArchived: true })).toMatchObject({ total: 2 });
    expect(events.map(({ type, data }) => [type, data.previousAttributes?.status]).sort()).toEqual([
      ['conversation.updated', 'completed'],
      ['conversation.updated', 'pending'],
    ]);
  });

  test('are read, and unread by their last received message', async () => {
    const desk = await createFilledDesk();
    const [first = '', second = ''] = desk.ids;
    await update(desk, { isRead: true });
    expect(await desk.list({ isRead: false })).toMatchObject({ total: 0 });
    await update(desk, { isRead: false });
    expect(await desk.list({ isRead: false })).toMatchObject({ total: 2 });
    for (const conversationId of [first, second]) {
      const { messages } = await listMessages(desk.actor, listMessagesInput.parse({ conversationId }));
      expect(messages.map(({ isRead }) => isRead)).toEqual([false]);
    }
  });

  test('are assigned; who has one already is not notified of it again', async () => {
    const desk = await createFilledDesk();
    const { actor } = await addTestMember(desk, 'member', 'Ann');
    const assignee = { type: 'member', id: actor.userId } as const;
    await updateConversation(desk.actor, { conversationId: desk.ids[0] ?? '', assignee });
    await update(desk, { assignee });
    const { notifications } = await listNotifications(actor, { limit: 10 });
    expect(notifications.map(({ title }) => title)).toEqual(['Assigned to you: Second', 'Assigned to you: First']);
    await update(desk, { assignee: null });
    expect(await desk.list({ assignee: 'none', isArchived: true, isSpam: true })).toMatchObject({ total: 4 });
  });

  test('all keep what they have if one can’t be changed', async () => {
    const desk = await createFilledDesk();
    const refused = (changes: Parameters<typeof update>[1]) =>
      update(desk, { ...changes, isRead: true }, desk.ids).catch(({ code, details }) => details?.fields ?? code);
    expect(await refused({ snoozedUntil: later() })).toBe('conflict');
    expect(await refused({ assignee: { type: 'agent', id: unknown } })).toEqual({
      'assignee.id': 'is not an active agent of this business',
    });
    expect(await desk.list({ isRead: false, isArchived: true, isSpam: true })).toMatchObject({ total: 3 });
  });

  test('are snoozed, and only those that were are in the inbox again', async () => {
    const desk = await createFilledDesk();
    await update(desk, { snoozedUntil: later() });
    expect(await desk.subjects({ folder: 'snoozed' })).toEqual(['Second', 'First']);
    await update(desk, { snoozedUntil: null }, desk.ids.slice(0, 3));
    expect(await desk.subjects({ folder: 'inbox' })).toEqual(['Second', 'First']);
    expect(await desk.subjects({ folder: 'archived' })).toEqual(['Third 100%']);
  });

  test('are changed by the ids of what was merged into them', async () => {
    const desk = await createFilledDesk();
    const [first = '', second = ''] = desk.ids;
    await pool().query('INSERT INTO merged_conversations (identity_id, id, conversation_id) VALUES ($1, $2, $3)', [
      ...[desk.identityId, unknown, first],
    ]);
    expect(await update(desk, { isArchived: true }, [unknown, first, second])).toMatchObject({ updated: 2 });
    expect(await getConversation(desk.actor, first)).toMatchObject({ isArchived: true });
  });

  test('are restored from the trash; those that are not in it stay unchanged', async () => {
    const desk = await createFilledDesk();
    await deleteConversations(desk.actor, { ids: desk.ids.slice(0, 2), permanent: false });
    const events = await eventsOf(desk, async () => {
      const input = restoreConversationsInput.parse({ ids: [...desk.ids, unknown] });
      expect(await restoreConversations(desk.actor, input)).toEqual({ success: true, restored: 2 });
    });
    expect(events).toHaveLength(2);
    expect(await desk.subjects({ folder: 'inbox' })).toEqual(['Second', 'First']);
    const other = await createTestIdentity();
    expect(await restoreConversations(other.actor, { ids: desk.ids })).toMatchObject({ restored: 0 });
  });

  test('that two members change at once are changed by both', async () => {
    const desk = await createFilledDesk();
    const reversed = [...desk.ids].reverse();
    await Promise.all([
      update(desk, { status: 'processing' }, desk.ids),
      update(desk, { isRead: true }, reversed),
      update(desk, { isArchived: true }, reversed),
    ]);
    const { conversations } = await desk.list({ isArchived: true, isSpam: true });
    expect(conversations.map(({ status, isRead, isArchived }) => [status, isRead, isArchived])).toEqual(
      desk.ids.map(() => ['processing', true, true]),
    );
  });
});
