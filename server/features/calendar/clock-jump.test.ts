import { beforeEach, describe, expect, test, vi } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { takeFromProcess } from '@/server/platform/process-globals';
import { createTestEvent, queuedMails } from '@/server/testing/calendar';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { findJob } from '@/server/testing/jobs';
import { remindersJob, sendReminders, sweepReminders } from './reminder.service';

/** The database's clock can't be set here, so rows are written as they would be after a jump. */

withFreshDatabase();

beforeEach(() => {
  takeFromProcess('reminder-sweep');
});

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const iso = (time: number) => new Date(time).toISOString();

describe('reminders', () => {
  const lead = 30 * minute;

  /** An event written while the clock was ahead by a day: processed until this time tomorrow. */
  async function eventIn(wait: number, changes: { recurrence?: 'daily' } = {}) {
    const { actor, identityId } = await createTestIdentity();
    const start = Math.ceil(Date.now() / minute) * minute + wait;
    const event = await createTestEvent(actor, {
      startTime: iso(start),
      endTime: iso(start + hour),
      reminders: [{ type: 'email', value: 30, unit: 'minutes' }],
      ...changes,
    });
    await pool().query(
      `UPDATE calendar_events SET reminded_until = now() + interval '1 day', reminder_due_at = NULL WHERE id = $1`,
      [event.id],
    );
    await remindersJob.cancel(pool(), event.id);
    const jobDue = async () => (await findJob(remindersJob, event.id))?.dueAt.getTime() ?? null;
    const reminders = async () => (await queuedMails(identityId)).filter(({ kind }) => kind === 'event_reminder').length;
    return { identityId, eventId: event.id, start, jobDue, reminders };
  }

  test('of an event made under a clock that was ahead are sent in time, once', async () => {
    const { identityId, eventId, start, jobDue, reminders } = await eventIn(3 * hour);
    await sweepReminders();
    expect(await jobDue()).toBeLessThanOrEqual(Date.now());
    await sendReminders(identityId, eventId);
    expect(await reminders()).toBe(0);
    expect(await jobDue()).toBe(start - lead);
    await sendReminders(identityId, eventId, start - lead);
    await sendReminders(identityId, eventId, start - lead);
    expect(await reminders()).toBe(1);
  });

  test.each([{}, { recurrence: 'daily' as const }])(
    'that went out under a clock that was ahead do not go out again: %o',
    async (changes) => {
      const { identityId, eventId, start, jobDue, reminders } = await eventIn(3 * hour, changes);
      await pool().query('UPDATE calendar_events SET reminded_until = now() WHERE id = $1', [eventId]);
      await sendReminders(identityId, eventId, start - lead);
      expect(await reminders()).toBe(1);
      // Rows have the times of that clock; afterwards it goes back by three hours.
      await pool().query('UPDATE outbox_mails SET created_at = $2 WHERE identity_id = $1', [identityId, new Date(start - lead)]);
      await sweepReminders();
      await sendReminders(identityId, eventId);
      await sendReminders(identityId, eventId, start - lead);
      expect(await reminders()).toBe(1);
      expect(await jobDue()).toBe('recurrence' in changes ? start - lead + day : null);
    },
  );

  test('are looked at when the sweep finds the clock set back, and not each time', async () => {
    await sweepReminders();
    const { jobDue } = await eventIn(3 * hour);
    await sweepReminders();
    expect(await jobDue()).toBeNull();
    vi.spyOn(pool(), 'query').mockImplementationOnce(
      () => Promise.resolve({ rows: [{ now: new Date(Date.now() - hour) }] }) as never,
    );
    await sweepReminders();
    expect(await jobDue()).not.toBeNull();
  });

  test('of more events than fit one page are all looked at', async () => {
    const { identityId, eventId } = await eventIn(3 * hour);
    const copies = 1100;
    await pool().query(
      `INSERT INTO calendar_events SELECT (jsonb_populate_record(event, jsonb_build_object('id', gen_random_uuid()))).*
       FROM calendar_events event, generate_series(1, $2) WHERE event.id = $1`,
      [eventId, copies],
    );
    await sweepReminders();
    const [jobs] = await rows<{ count: number }>(pool(), {
      text: `SELECT count(*)::int FROM jobs WHERE key IN (SELECT id::text FROM calendar_events WHERE identity_id = $1)`,
      values: [identityId],
    });
    expect(jobs?.count).toBe(copies + 1);
  });

  test('that came due while the clock leapt ahead are sent for what is still to come', async () => {
    const { identityId, eventId, start, reminders } = await eventIn(3 * hour);
    await pool().query('UPDATE calendar_events SET reminded_until = now() WHERE id = $1', [eventId]);
    await sendReminders(identityId, eventId, start - minute);
    expect(await reminders()).toBe(1);
  });
});
