import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { removeMember } from '@/server/features/team/member.service';
import { pool } from '@/server/platform/db/pool';
import { prisma } from '@/server/platform/db/prisma';
import { overrideEnv } from '@/server/platform/env';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { jobTimeOf, notificationsOf, notifyMembers, quietNow } from '@/server/testing/notifications';
import { addTestMember, type TestMember } from '@/server/testing/team';
import {
  listNotificationsInput,
  markNotificationsInput,
  type NotificationRecord,
  updateNotificationSettingsInput,
} from './notification.schema';
import { countUnread, listNotifications, markNotificationsRead } from './notification.service';
import { removeOldNotifications } from './notification-jobs.service';
import { getNotificationSettings, updateNotificationSettings } from './settings.service';

withFreshDatabase();

beforeAll(() => overrideEnv({ SMTP_URL: 'smtp://127.0.0.1:9' }));

interface Team {
  identity: TestIdentity;
  ann: TestMember['actor'];
  bob: TestMember['actor'];
}

async function createTeam(): Promise<Team> {
  const identity = await createTestIdentity();
  const [ann, bob] = [await addTestMember(identity, 'member', 'Ann'), await addTestMember(identity, 'viewer', 'Bob')];
  return { identity, ann: ann.actor, bob: bob.actor };
}

const listOf = async (actor: TestMember['actor'], input: object = {}): Promise<NotificationRecord[]> =>
  (await listNotifications(actor, listNotificationsInput.parse(input))).notifications;

const update = (actor: TestMember['actor'], input: object) =>
  updateNotificationSettings(actor, updateNotificationSettingsInput.parse(input));

describe('a notification', () => {
  test('is written for members, and not for its author or for anybody else', async () => {
    const { identity, ann, bob } = await createTeam();
    const stranger = (await createTestIdentity()).actor;
    const recipients = [ann, bob, stranger].map(({ userId }) => userId);
    await notifyMembers([ann], { recipients: [...recipients, randomUUID()] }, bob);
    expect(await listOf(ann)).toMatchObject([{ kind: 'assigned', title: 'Assigned to you: A question', isRead: false }]);
    for (const actor of [bob, stranger, identity.actor]) expect(await listOf(actor)).toEqual([]);
    expect(await countUnread(ann)).toEqual({ unread: 1 });
    expect(await countUnread(bob)).toEqual({ unread: 0 });
    expect(await notificationsOf({ ...stranger, identityId: identity.identityId })).toEqual([]);
  });

  test('of one cause is written once, also of two at the same moment', async () => {
    const { ann, bob } = await createTeam();
    const dedupeKey = randomUUID();
    await Promise.all(Array.from({ length: 8 }, () => notifyMembers([ann, bob], { dedupeKey })));
    await notifyMembers([ann], { dedupeKey, title: 'Again' });
    expect(await listOf(ann)).toHaveLength(1);
    expect(await listOf(bob)).toHaveLength(1);
  });

  test('is one line of at most 200 characters', async () => {
    const { ann } = await createTeam();
    await notifyMembers([ann], { title: `A\nsubject ${'🙂'.repeat(300)}` });
    const [{ title = '' } = {}] = await listOf(ann);
    expect([...title]).toHaveLength(200);
    expect(title).toMatch(/^A subject 🙂+…$/u);
  });

  test('that a member has turned off is not written', async () => {
    const { ann } = await createTeam();
    await update(ann, { channels: { assigned: { inApp: false, email: 'off', push: false } } });
    await notifyMembers([ann]);
    expect(await notificationsOf(ann)).toEqual([]);
    await update(ann, { channels: { assigned: { email: 'immediately' } } });
    await notifyMembers([ann]);
    // Mailed, but not in the list.
    expect(await notificationsOf(ann)).toMatchObject([{ inApp: false, mailDueAt: expect.any(Date) }]);
    expect(await listOf(ann)).toEqual([]);
    expect(await countUnread(ann)).toEqual({ unread: 0 });
  });

  test('goes with the membership', async () => {
    const { identity, ann, bob } = await createTeam();
    await notifyMembers([ann, bob]);
    await update(ann, { quietHours: { from: '22:00', to: '07:00' } });
    await removeMember(identity.actor, ann.userId);
    expect(await notificationsOf(ann)).toEqual([]);
    expect(await prisma().notificationSettings.count({ where: { userId: ann.userId } })).toBe(0);
    await notifyMembers([ann, bob]);
    expect(await notificationsOf(ann)).toEqual([]);
    expect(await notificationsOf(bob)).toHaveLength(2);
  });

  test('goes after 90 days', async () => {
    const { ann } = await createTeam();
    await notifyMembers([ann]);
    await notifyMembers([ann]);
    const [old, young] = await notificationsOf(ann);
    const age = (id: string | undefined, days: number) =>
      pool().query('UPDATE notifications SET created_at = now() - make_interval(days => $2) WHERE id = $1', [id, days]);
    await age(old?.id, 91);
    await age(young?.id, 89);
    await removeOldNotifications();
    expect((await notificationsOf(ann)).map(({ id }) => id)).toEqual([young?.id]);
  });
});

describe('the list', () => {
  test('is newest first, in pages', async () => {
    const { ann } = await createTeam();
    for (const title of ['1', '2', '3']) await notifyMembers([ann], { title });
    const first = await listNotifications(ann, { limit: 2 });
    expect(first.notifications.map(({ title }) => title)).toEqual(['3', '2']);
    expect(first.next).toBe(first.notifications[1]?.id);
    const second = await listNotifications(ann, { limit: 2, before: first.next ?? '' });
    expect(second).toMatchObject({ notifications: [{ title: '1' }], next: null });
  });

  test('counts up to 100', async () => {
    const { ann } = await createTeam();
    await pool().query(
      `INSERT INTO notifications (id, identity_id, user_id, kind, title, sent_title, dedupe_key, in_app)
        SELECT gen_random_uuid(), $1, $2, 'assigned', 'x', 'x', n::text, true FROM generate_series(1, 120) n`,
      [ann.identityId, ann.userId],
    );
    expect(await countUnread(ann)).toEqual({ unread: 100 });
  });
});

describe('marking as read', () => {
  const mark = (actor: TestMember['actor'], input: object) => markNotificationsRead(actor, markNotificationsInput.parse(input));

  test('concerns the given ones, a conversation’s, or all; and only one’s own', async () => {
    const { ann, bob } = await createTeam();
    const [conversationId, part] = [randomUUID(), randomUUID()];
    await notifyMembers([ann, bob], { title: 'other' });
    await notifyMembers([ann, bob], { title: 'conversation', conversationId });
    await notifyMembers([ann, bob], { title: 'part', conversationId: part });
    await pool().query('INSERT INTO merged_conversations (identity_id, id, conversation_id) VALUES ($1, $2, $3)', [
      ...[ann.identityId, part, conversationId],
    ]);
    const unread = async (actor: TestMember['actor']) =>
      (await listOf(actor)).filter(({ isRead }) => !isRead).map(({ title }) => title);
    const bobs = (await listOf(bob)).map(({ id }) => id);
    await mark(ann, { ids: bobs });
    expect(await unread(ann)).toEqual(['part', 'conversation', 'other']);
    await mark(ann, { conversationId });
    expect(await unread(ann)).toEqual(['other']);
    await mark(ann, { all: true });
    expect(await unread(ann)).toEqual([]);
    expect(await unread(bob)).toHaveLength(3);
    await mark(bob, { ids: bobs.slice(0, 1) });
    expect(await unread(bob)).toEqual(['conversation', 'other']);
  });

  test.each([[{}], [{ ids: [] }], [{ all: true, ids: [randomUUID()] }], [{ all: false }]])('refuses %j', (input) => {
    expect(markNotificationsInput.safeParse(input).success).toBe(false);
  });
});

describe('the settings', () => {
  test('have defaults, and change by what is given', async () => {
    const { ann } = await createTeam();
    const before = await getNotificationSettings(ann);
    expect(before).toMatchObject({
      channels: {
        assigned: { inApp: true, email: 'immediately', push: true },
        mentioned: { inApp: true, email: 'immediately', push: true },
        escalation: { inApp: true, email: 'immediately', push: true },
        failed_email: { inApp: true, email: 'daily', push: true },
      },
      ...{ quietHours: null, timeZone: null, canSendMail: true },
      push: { isOnHere: false, browsers: 0 },
    });
    await Promise.all([
      update(ann, { channels: { assigned: { email: 'daily' } } }),
      update(ann, { channels: { assigned: { inApp: false }, mentioned: { push: false } } }),
      update(ann, { quietHours: { from: '22:00', to: '07:00' } }),
    ]);
    expect(await update(ann, {})).toMatchObject({
      channels: {
        assigned: { inApp: false, email: 'daily', push: true },
        mentioned: { inApp: true, email: 'immediately', push: false },
      },
      quietHours: { from: '22:00', to: '07:00' },
    });
    expect(await update(ann, { quietHours: null })).toMatchObject({ quietHours: null });
  });

  test('are of one business', async () => {
    const { ann } = await createTeam();
    const other = await createTestIdentity();
    await prisma().membership.create({ data: { identityId: other.identityId, userId: ann.userId, role: 'member' } });
    await update(ann, { channels: { assigned: { email: 'off' } } });
    const elsewhere = { ...ann, identityId: other.identityId };
    expect((await getNotificationSettings(elsewhere)).channels.assigned.email).toBe('immediately');
  });

  test.each([
    [{ channels: { escalation: { inApp: false } } }, ['channels', 'escalation', 'inApp']],
    [{ channels: { assigned: { email: 'weekly' } } }, ['channels', 'assigned', 'email']],
    [{ quietHours: { from: '22:00', to: '22:00' } }, ['quietHours', 'to']],
    [{ quietHours: { from: '24:00', to: '07:00' } }, ['quietHours', 'from']],
    [{ quietHours: { from: '22:00' } }, ['quietHours', 'to']],
  ])('refuse %j', (input, path) => {
    expect(updateNotificationSettingsInput.safeParse(input).error?.issues.map((issue) => issue.path)).toEqual([path]);
  });

  test('apply to what waits', async () => {
    const { ann } = await createTeam();
    const { quietHours, endsAt } = quietNow();
    await update(ann, { quietHours });
    await notifyMembers([ann]);
    expect(await notificationsOf(ann)).toMatchObject([{ mailDueAt: endsAt, pushDueAt: null }]);
    expect(await jobTimeOf(ann)).toEqual(endsAt);
    await update(ann, { quietHours: null });
    expect((await jobTimeOf(ann))?.getTime()).toBeLessThan(endsAt.getTime());
    await update(ann, { channels: { assigned: { email: 'off' } } });
    expect(await notificationsOf(ann)).toMatchObject([{ mailDueAt: null }]);
  });
});
