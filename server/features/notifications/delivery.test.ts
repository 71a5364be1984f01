import { beforeAll, describe, expect, test } from 'vitest';
import { removeMember } from '@/server/features/team/member.service';
import { pool } from '@/server/platform/db/pool';
import { prisma } from '@/server/platform/db/prisma';
import { overrideEnv } from '@/server/platform/env';
import { accountMailsTo } from '@/server/testing/account-mail';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { jobTimeOf, notificationsOf, notifyMembers, quietNow } from '@/server/testing/notifications';
import { addTestMember } from '@/server/testing/team';
import { deliverNotifications } from './delivery.service';
import { deliverJob } from './delivery-job';
import { markNotificationsRead } from './notification.service';
import { updateNotificationSettings } from './settings.service';

/** Emails, sent by calling what the job calls. */

withFreshDatabase({ PUBLIC_URL: 'https://desk.example.com' });

beforeAll(() => overrideEnv({ SMTP_URL: 'smtp://127.0.0.1:9' }));

const minute = 60_000;
const later = (milliseconds: number) => new Date(Date.now() + milliseconds);

/** A member whose job is run by hand. */
async function member() {
  const identity = await createTestIdentity({ displayName: 'Harbor Lane' });
  const { actor, email } = await addTestMember(identity, 'member');
  return {
    ...{ identity, actor },
    notify: (title: string, changes = {}) => notifyMembers([actor], { title, ...changes }),
    deliver: async (at?: Date) => {
      // As the job does, which does not wait any more while it runs.
      await deliverJob.cancel(pool(), `${actor.identityId}:${actor.userId}`);
      await deliverNotifications(actor, at ? { at } : {});
    },
    mails: async () => (await accountMailsTo(email)).filter(({ kind }) => kind === 'notifications'),
    stored: () => notificationsOf(actor),
  };
}

describe('an email', () => {
  test('says what happened and where, and nothing of the message', async () => {
    const { notify, deliver, mails, stored, actor } = await member();
    const conversationId = '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50';
    await notify('Assigned to you: Rims', { conversationId });
    expect((await jobTimeOf(actor))?.getTime()).toBeLessThanOrEqual(Date.now());
    await deliver();
    expect(await mails()).toEqual([
      {
        kind: 'notifications',
        subject: 'Harbor Lane: Assigned to you: Rims',
        text: [
          `Assigned to you: Rims\nhttps://desk.example.com/inbox/${conversationId}`,
          'You get this email as a member of Harbor Lane on Frontdesk. Choose what you are notified of: https://desk.example.com/settings/notifications',
        ].join('\n\n'),
      },
    ]);
    expect(await stored()).toMatchObject([{ mailDueAt: null, mailedAt: expect.any(Date) }]);
    // Repeated, and at the same moment.
    await Promise.all([deliver(), deliver(), deliver(later(10 * minute))]);
    expect(await mails()).toHaveLength(1);
  });

  test('is written once, however many jobs run at the same moment', async () => {
    const { notify, deliver, mails } = await member();
    await notify('One');
    await Promise.all(Array.from({ length: 5 }, () => deliver()));
    expect(await mails()).toHaveLength(1);
  });

  test('comes at most once a minute; what happens meanwhile is in the next one', async () => {
    const { notify, deliver, mails, actor } = await member();
    await notify('One');
    await deliver();
    await notify('Two');
    await notify('Three');
    await deliver();
    expect(await mails()).toHaveLength(1);
    const next = (await jobTimeOf(actor))?.getTime() ?? 0;
    expect(next).toBeGreaterThan(Date.now() + 30_000);
    await deliver(new Date(next));
    const [, second] = await mails();
    expect(second?.subject).toBe('Harbor Lane: 2 notifications');
    expect(second?.text).toMatch(/^Two\n.*\n\nThree\n/);
  });

  test('has one limit for all businesses of a person', async () => {
    const { notify, deliver, mails, actor } = await member();
    const { identityId } = await createTestIdentity();
    await prisma().membership.create({ data: { identityId, userId: actor.userId, role: 'member' } });
    const elsewhere = { ...actor, identityId };
    await notify('One');
    await notifyMembers([elsewhere], { title: 'Two' });
    await Promise.all([deliver(), deliverNotifications(elsewhere)]);
    expect(await mails()).toHaveLength(1);
    await Promise.all([deliver(later(2 * minute)), deliverNotifications(elsewhere, { at: later(2 * minute) })]);
    expect(await mails()).toHaveLength(2);
  });

  test('lists twenty, and counts the others', async () => {
    const { notify, deliver, mails } = await member();
    for (let number = 1; number <= 23; number++) await notify(`Number ${number}`);
    await deliver();
    const [mail] = await mails();
    expect(mail?.subject).toBe('Harbor Lane: 23 notifications');
    expect(mail?.text).toContain('Number 20\n');
    expect(mail?.text).not.toContain('Number 21');
    expect(mail?.text).toContain('And 3 more');
  });

  test('is not sent about what was read in the app meanwhile', async () => {
    const { notify, deliver, mails, actor } = await member();
    await notify('One');
    await notify('Two');
    const [one] = await notificationsOf(actor);
    await markNotificationsRead(actor, { ids: [one?.id ?? ''] });
    await deliver();
    expect(await mails()).toMatchObject([{ subject: 'Harbor Lane: Two' }]);
  });

  test('is not sent to a former member', async () => {
    const { notify, deliver, mails, actor, identity } = await member();
    await notify('One');
    await removeMember(identity.actor, actor.userId);
    await deliver();
    expect(await mails()).toEqual([]);
  });

  test('is not sent for a deleted business', async () => {
    const { notify, deliver, mails, identity } = await member();
    await notify('One');
    await pool().query('UPDATE identities SET erased_at = now() WHERE id = $1', [identity.identityId]);
    await deliver();
    expect(await mails()).toEqual([]);
  });

  test('is not kept for later without a mail server', async () => {
    const { notify, deliver, mails, stored } = await member();
    await notify('One');
    overrideEnv({ SMTP_URL: undefined });
    await deliver();
    overrideEnv({ SMTP_URL: 'smtp://127.0.0.1:9' });
    await deliver();
    expect(await mails()).toEqual([]);
    expect(await stored()).toMatchObject([{ mailDueAt: null, mailedAt: null }]);
  });

  test('that is rolled back with its transaction is sent by the next run', async () => {
    const { notify, deliver, mails, stored } = await member();
    await notify('One');
    // The server dies before it commits: the outbox does not take the mail.
    overrideEnv({ MAIL_FROM: { email: 'x\0', displayName: null } });
    await expect(deliver()).rejects.toThrow();
    overrideEnv({ MAIL_FROM: undefined });
    expect(await stored()).toMatchObject([{ mailDueAt: expect.any(Date), mailedAt: null }]);
    await deliver();
    expect(await mails()).toHaveLength(1);
  });
});

describe('quiet hours', () => {
  test('hold emails back until they end', async () => {
    const { notify, deliver, mails, actor } = await member();
    const { quietHours, endsAt } = quietNow();
    await updateNotificationSettings(actor, { quietHours });
    await notify('One');
    await notify('Two');
    expect(await jobTimeOf(actor)).toEqual(endsAt);
    await deliver();
    expect(await mails()).toEqual([]);
    await deliver(endsAt);
    expect(await mails()).toMatchObject([{ subject: 'Harbor Lane: 2 notifications' }]);
  });

  test('that come with another time zone hold back what was due', async () => {
    const { notify, deliver, mails, actor } = await member();
    await notify('One');
    // Set without rescheduling, as by a change of the zone in the profile.
    const { quietHours, endsAt } = quietNow();
    const data = { quietFrom: quietHours.from, quietTo: quietHours.to };
    const { identityId, userId } = actor;
    await prisma().notificationSettings.create({ data: { identityId, userId, ...data } });
    await deliver();
    expect(await mails()).toEqual([]);
    expect(await jobTimeOf(actor)).toEqual(endsAt);
    await deliver(endsAt);
    expect(await mails()).toHaveLength(1);
  });
});

describe('daily emails', () => {
  test('have everything since the last one, at 08:00 in the person’s time zone', async () => {
    const { notify, deliver, mails, actor } = await member();
    await prisma().user.update({ where: { id: actor.userId }, data: { timeZone: 'Asia/Kathmandu' } });
    await updateNotificationSettings(actor, { channels: { assigned: { email: 'daily' } } });
    await notify('One');
    await notify('Two', { kind: 'failed_email' });
    await deliver();
    expect(await mails()).toEqual([]);
    const due = (await jobTimeOf(actor)) ?? new Date(0);
    expect(due.toISOString()).toMatch(/T02:15:00.000Z$/);
    await deliver(due);
    expect(await mails()).toMatchObject([{ subject: 'Harbor Lane: 2 notifications' }]);
  });

  test('are not sent if there is nothing left', async () => {
    const { notify, deliver, mails, actor } = await member();
    await notify('One', { kind: 'failed_email' });
    const due = (await jobTimeOf(actor)) ?? new Date(0);
    await markNotificationsRead(actor, { all: true });
    await deliver(due);
    expect(await mails()).toEqual([]);
  });
});

describe('the job', () => {
  test('is at the earliest time that something is due', async () => {
    const { notify, actor } = await member();
    await notify('Tomorrow', { kind: 'failed_email' });
    const tomorrow = (await jobTimeOf(actor))?.getTime() ?? 0;
    await notify('Now');
    expect((await jobTimeOf(actor))?.getTime()).toBeLessThan(tomorrow);
    await notify('Tomorrow, too', { kind: 'failed_email' });
    expect((await jobTimeOf(actor))?.getTime()).toBeLessThan(tomorrow);
  });
});
