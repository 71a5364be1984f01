import { describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { takeFromProcess } from '@/server/platform/process-globals';
import { createTestEvent, queuedMails } from '@/server/testing/calendar';
import { queryAsOwner, withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { findJob, withJobs } from '@/server/testing/jobs';
import { remindersHandler, remindersJob, sendReminders } from './reminder.service';

/** The database's clock can't be set here, so rows are written as they would be after a jump. */

withFreshDatabase();
const startWorker = withJobs();

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const iso = (time: number) => new Date(time).toISOString();

describe('reminders', () => {
  const lead = 30 * minute;

  async function eventIn(wait: number, changes: { recurrence?: 'daily' } = {}) {
    const { actor, identityId } = await createTestIdentity();
    const start = Math.ceil(Date.now() / minute) * minute + wait;
    const event = await createTestEvent(actor, {
      startTime: iso(start),
      endTime: iso(start + hour),
      reminders: [{ type: 'email', value: 30, unit: 'minutes' }],
      ...changes,
    });
    const jobDue = async () => (await findJob(remindersJob, event.id))?.dueAt.getTime() ?? null;
    const reminders = async () => (await queuedMails(identityId)).filter(({ kind }) => kind === 'event_reminder').length;
    return { identityId, eventId: event.id, start, jobDue, reminders };
  }

  test('of an event that was past by a clock that was ahead are sent in time, once', async () => {
    const { identityId, eventId, start, jobDue, reminders } = await eventIn(3 * hour);
    await sendReminders(identityId, eventId, start + 2 * hour);
    expect(await jobDue()).toBe(start + hour + day);
    await queryAsOwner(`UPDATE jobs SET scheduled_at = now() + interval '5 hours'`);
    // A process that has just started does not know the clock.
    takeFromProcess('database-clock');
    const stop = await startWorker(remindersHandler);
    await expect.poll(jobDue).toBe(start - lead);
    await stop();
    expect(await reminders()).toBe(0);
    await sendReminders(identityId, eventId, start - lead);
    await sendReminders(identityId, eventId, start - lead);
    expect(await reminders()).toBe(1);
  });

  test('that are done leave the job until a day after the end of the event', async () => {
    const { identityId, eventId, start, jobDue } = await eventIn(3 * hour);
    await sendReminders(identityId, eventId, start - lead);
    expect(await jobDue()).toBe(start + hour + day);
    await sendReminders(identityId, eventId, start + hour + day);
    expect(await jobDue()).toBeNull();
  });

  test.each([{}, { recurrence: 'daily' as const }])(
    'that went out under a clock that was ahead do not go out again: %o',
    async (changes) => {
      const { identityId, eventId, start, jobDue, reminders } = await eventIn(3 * hour, changes);
      await sendReminders(identityId, eventId, start - lead);
      expect(await reminders()).toBe(1);
      // Rows have the times of that clock; afterwards it goes back by three hours.
      await pool().query('UPDATE outbox_mails SET created_at = $2 WHERE identity_id = $1', [identityId, new Date(start - lead)]);
      await sendReminders(identityId, eventId);
      await sendReminders(identityId, eventId, start - lead);
      expect(await reminders()).toBe(1);
      expect(await jobDue()).toBe('recurrence' in changes ? start - lead + day : start + hour + day);
    },
  );

  test('that came due while the clock leapt ahead are sent for what is still to come', async () => {
    const { identityId, eventId, start, reminders } = await eventIn(3 * hour);
    await sendReminders(identityId, eventId, start - minute);
    expect(await reminders()).toBe(1);
  });
});
