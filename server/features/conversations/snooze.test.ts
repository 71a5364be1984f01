import { describe, expect, test } from 'vitest';
import { listNotifications } from '@/server/features/notifications/notification.service';
import { pool } from '@/server/platform/db/pool';
import { queryAsOwner, withFreshDatabase } from '@/server/testing/database';
import { createFilledDesk, createTestDesk } from '@/server/testing/desk';
import { eventsOf } from '@/server/testing/events';
import { running, secondsUntil } from '@/server/testing/jobs';
import { deliver } from '@/server/testing/mail';
import { addTestMember } from '@/server/testing/team';
import type { UpdateConversationInput } from './conversation.schema';
import { getConversation, listMessages } from './conversation.service';
import { updateConversation } from './conversation-update.service';
import { getLiveCounts } from './live-counts.service';
import { listMessagesInput } from './message.schema';
import { endSnoozeJob } from './snooze.service';
import { deleteConversation, restoreConversation } from './trash.service';

withFreshDatabase();

type Desk = Awaited<ReturnType<typeof createFilledDesk>>;

const minutes = 60_000;
const later = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();
const change = (desk: Desk, changes: Omit<UpdateConversationInput, 'conversationId'>, [conversationId = ''] = desk.ids) =>
  updateConversation(desk.actor, { conversationId, ...changes });
const snooze = (desk: Desk) => change(desk, { snoozedUntil: later(60 * minutes) });
const stored = (desk: Desk) => getConversation(desk.actor, desk.ids[0] ?? '');

const run = ({ identityId, ids: [conversationId] }: Desk) => endSnoozeJob.run(running({ identityId, conversationId }));

/** Makes the time of a snooze come. */
async function pass(desk: Desk): Promise<void> {
  await pool().query(`UPDATE conversations SET snoozed_until = now() WHERE identity_id = $1 AND snoozed_until IS NOT NULL`, [
    desk.identityId,
  ]);
}

const titlesOf = async (actor: Parameters<typeof listNotifications>[0]) =>
  (await listNotifications(actor, { limit: 10 })).notifications.map(({ title }) => title);

const problemOf = (work: Promise<unknown>) => work.catch(({ code, details }) => details?.fields ?? code);

describe('a snoozed conversation', () => {
  test('is archived, and in a folder with the other ones', async () => {
    const desk = await createFilledDesk();
    const snoozedUntil = later(60 * minutes);
    expect(await change(desk, { snoozedUntil })).toMatchObject({ snoozedUntil, isArchived: true, isRead: false });
    expect(await desk.subjects()).toEqual(['Second']);
    expect(await desk.list({ folder: 'snoozed' })).toMatchObject({
      conversations: [{ subject: 'First', snoozedUntil }],
      total: 1,
    });
    expect(await desk.subjects({ folder: 'archived' })).toEqual(['Third 100%', 'First']);
    expect(await getLiveCounts(desk.actor)).toMatchObject({ inbox: 1, archived: 2, snoozed: 1 });
    expect(Math.abs((await secondsUntil(endSnoozeJob, desk.ids[0])) - 3_600)).toBeLessThan(60);
  });

  test('is in the inbox at its time, unread, once', async () => {
    const desk = await createFilledDesk();
    await change(desk, { isRead: true });
    const { snoozedUntil } = await snooze(desk);
    await pass(desk);
    const events = await eventsOf(desk, async () => {
      await run(desk);
      await run(desk);
    });
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      type: 'conversation.updated',
      data: { previousAttributes: { isArchived: true, isRead: true } },
    });
    expect(await stored(desk)).toMatchObject({ snoozedUntil: null, isArchived: false, isRead: false });
    const { messages } = await listMessages(desk.actor, listMessagesInput.parse({ conversationId: desk.ids[0] }));
    expect(messages.map(({ isRead }) => isRead)).toEqual([false]);
    expect(snoozedUntil).not.toBeNull();
  });

  test('is noticed by who snoozed it and its assignee', async () => {
    const desk = await createFilledDesk();
    const [ann, ben, eve] = await Promise.all(['Ann', 'Ben', 'Eve'].map((name) => addTestMember(desk, 'member', name)));
    await change(desk, { assignee: { type: 'member', id: ann?.actor.userId ?? '' } });
    await updateConversation(ben?.actor ?? desk.actor, { conversationId: desk.ids[0] ?? '', snoozedUntil: later(minutes) });
    await pass(desk);
    await run(desk);
    for (const member of [ann, ben]) {
      expect(member && (await titlesOf(member.actor))).toContain('In the inbox again: First');
    }
    expect(eve && (await titlesOf(eve.actor))).toEqual([]);
  });

  test('stays where it is if the job runs early, and the job comes back', async () => {
    const desk = await createFilledDesk();
    const { snoozedUntil } = await snooze(desk);
    await queryAsOwner('DELETE FROM jobs WHERE key = $1', [desk.ids[0]]);
    await run(desk);
    expect(await stored(desk)).toMatchObject({ snoozedUntil, isArchived: true });
    expect(await secondsUntil(endSnoozeJob, desk.ids[0])).toBeGreaterThan(3_000);
  });

  test('is in the inbox after a reply', async () => {
    const desk = await createFilledDesk();
    await snooze(desk);
    const { rows } = await pool().query('SELECT message_id_header AS id FROM messages WHERE conversation_id = $1', [desk.ids[0]]);
    await deliver({ headers: { 'In-Reply-To': rows[0].id }, body: 'Any news?' }, { to: desk.address });
    expect(await stored(desk)).toMatchObject({ snoozedUntil: null, isArchived: false, messageCount: 2 });
    await run(desk);
    expect(await stored(desk)).toMatchObject({ snoozedUntil: null, isArchived: false });
  });

  test.each<[string, Parameters<typeof change>[1], object]>([
    ['ended', { snoozedUntil: null }, { snoozedUntil: null, isArchived: false }],
    ['moved to the inbox', { isArchived: false }, { snoozedUntil: null, isArchived: false }],
    ['archived', { snoozedUntil: null, isArchived: true }, { snoozedUntil: null, isArchived: true }],
  ])('is %s', async (_, changes, after) => {
    const desk = await createFilledDesk();
    await snooze(desk);
    expect(await change(desk, changes)).toMatchObject(after);
    expect(await desk.subjects({ folder: 'snoozed' })).toEqual([]);
  });

  test('gets another time', async () => {
    const desk = await createFilledDesk();
    await snooze(desk);
    const snoozedUntil = later(600 * minutes);
    expect(await change(desk, { snoozedUntil })).toMatchObject({ snoozedUntil, isArchived: true });
    expect(await secondsUntil(endSnoozeJob, desk.ids[0])).toBeGreaterThan(30_000);
  });

  test('keeps its time in the trash and as spam, and is not noticed there', async () => {
    const desk = await createFilledDesk();
    const [conversationId = ''] = desk.ids;
    const { snoozedUntil } = await snooze(desk);
    await deleteConversation(desk.actor, { conversationId, permanent: false });
    expect(await desk.subjects({ folder: 'snoozed' })).toEqual([]);
    expect(await getLiveCounts(desk.actor)).toMatchObject({ snoozed: 0 });
    expect(await restoreConversation(desk.actor, conversationId)).toMatchObject({ snoozedUntil });
    await change(desk, { isSpam: true });
    await pass(desk);
    await run(desk);
    expect(await change(desk, { isSpam: false })).toMatchObject({ snoozedUntil: null, isArchived: false });
    expect(await titlesOf(desk.actor)).toEqual([]);
  });

  test('null changes nothing in one that is not snoozed', async () => {
    const desk = await createFilledDesk();
    const [, , archived = ''] = desk.ids;
    const events = await eventsOf(desk, () => change(desk, { snoozedUntil: null }, [archived]));
    expect(events).toEqual([]);
    expect(await getConversation(desk.actor, archived)).toMatchObject({ isArchived: true });
  });

  test('has a time in the coming year, and is neither spam nor in the trash', async () => {
    const desk = await createFilledDesk();
    const refused = (changes: Parameters<typeof change>[1], id = desk.ids[0]) => problemOf(change(desk, changes, id ? [id] : []));
    expect(await refused({ snoozedUntil: later(-minutes) })).toEqual({ snoozedUntil: 'must be in the future' });
    expect(await refused({ snoozedUntil: later(370 * 1_440 * minutes) })).toEqual({
      snoozedUntil: 'must be at most a year ahead',
    });
    const snoozedUntil = later(minutes);
    expect(await refused({ snoozedUntil, isArchived: false })).toEqual({ snoozedUntil: 'archives it, and isArchived is false' });
    expect(await refused({ snoozedUntil, isSpam: true })).toEqual({ snoozedUntil: 'is not possible for spam' });
    expect(await refused({ snoozedUntil }, desk.ids[3])).toBe('conflict');
    await deleteConversation(desk.actor, { conversationId: desk.ids[0] ?? '', permanent: false });
    expect(await refused({ snoozedUntil })).toBe('conflict');
  });
});

test('messages are unread from one of them on', async () => {
  const desk = await createTestDesk();
  const messageIds: string[] = [];
  const headerOf = (index: number) => `<m${index}@${desk.domain}>`;
  let conversationId = '';
  for (let index = 0; index < 3; index += 1) {
    const headers = { 'Message-ID': headerOf(index), ...(index > 0 && { 'In-Reply-To': headerOf(index - 1) }) };
    const delivered = await deliver({ headers }, { to: desk.address, receivedAt: new Date(Date.UTC(2026, 0, 10 + index)) });
    conversationId = delivered.conversationId;
    messageIds.push(delivered.messageId);
  }
  await updateConversation(desk.actor, { conversationId, isRead: true });
  const changed = await updateConversation(desk.actor, { conversationId, isRead: false, unreadFrom: messageIds[1] });
  expect(changed.isRead).toBe(false);
  const { messages } = await listMessages(desk.actor, listMessagesInput.parse({ conversationId, order: 'asc' }));
  expect(messages.map(({ isRead }) => isRead)).toEqual([true, false, false]);
  const other = await deliver({}, { to: desk.address });
  expect(await problemOf(updateConversation(desk.actor, { conversationId, isRead: false, unreadFrom: other.messageId }))).toEqual(
    { unreadFrom: 'is not a received message of this conversation' },
  );
});
