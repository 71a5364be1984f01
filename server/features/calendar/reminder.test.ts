import { describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { changeTestEvent, createTestEvent, queuedMails } from '@/server/testing/calendar';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { findJob } from '@/server/testing/jobs';
import type { CreateEventRequest } from './calendar.schema';
import { deleteEvent } from './event-deletion.service';
import { remindersJob, sendReminders } from './reminder.service';
import { dueReminders, nextDue } from './reminders';

withFreshDatabase();

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const iso = (time: number) => new Date(time).toISOString();

/** When the event's job is due; null if it has none. */
async function jobDue(eventId: string): Promise<string | null> {
  return (await findJob(remindersJob, eventId))?.dueAt.toISOString() ?? null;
}

async function createReminded(changes: Partial<CreateEventRequest> = {}) {
  const { actor, identityId, owner } = await createTestIdentity();
  const start = Math.ceil(Date.now() / hour) * hour + 3 * day;
  const event = await createTestEvent(actor, {
    startTime: iso(start),
    endTime: iso(start + hour),
    reminders: [
      { type: 'email', value: 1, unit: 'days' },
      { type: 'email', value: 30, unit: 'minutes' },
    ],
    invitees: [{ email: 'ann@quark.example' }],
    ...changes,
  });
  const reminded = async () =>
    (await queuedMails(identityId)).filter(({ kind }) => kind === 'event_reminder').map(({ recipients }) => recipients[0]);
  return { actor, identityId, owner: owner.email, event, start, reminded };
}

describe('the job', () => {
  test('is due with the next reminder, moves with the event, and goes with it', async () => {
    const { actor, event, start } = await createReminded();
    expect(await jobDue(event.id)).toBe(iso(start - day));
    await changeTestEvent(actor, event.id, { startTime: iso(start + 2 * day), endTime: iso(start + 2 * day + hour) });
    expect(await jobDue(event.id)).toBe(iso(start + day));
    await changeTestEvent(actor, event.id, { reminders: [{ type: 'email', value: 5, unit: 'minutes' }] });
    expect(await jobDue(event.id)).toBe(iso(start + 2 * day - 5 * minute));
    await changeTestEvent(actor, event.id, { status: 'cancelled' });
    expect(await jobDue(event.id)).toBeNull();
    await changeTestEvent(actor, event.id, { status: 'confirmed' });
    expect(await jobDue(event.id)).toBe(iso(start + 2 * day - 5 * minute));
    await deleteEvent(actor, event.id);
    expect(await jobDue(event.id)).toBeNull();
  });

  test('that is due stays due when only the end of the event changes', async () => {
    const { actor, identityId, event, start, reminded } = await createReminded();
    await pool().query(`UPDATE calendar_events SET reminded_until = $2 WHERE id = $1`, [event.id, new Date(start - 2 * day)]);
    await changeTestEvent(actor, event.id, { endTime: iso(start + 2 * hour) });
    expect(await jobDue(event.id)).toBe(iso(start - day));
    const [kept] = await rows<{ reminded_until: Date }>(pool(), {
      text: 'SELECT reminded_until FROM calendar_events WHERE id = $1',
      values: [event.id],
    });
    expect(kept?.reminded_until.getTime()).toBe(start - 2 * day);
    await sendReminders(identityId, event.id, start - day);
    expect(await reminded()).toHaveLength(2);
  });

  test('of a change that fails stays as it was', async () => {
    const { actor, event, start } = await createReminded();
    await expect(changeTestEvent(actor, event.id, { startTime: iso(start + 9 * day) })).rejects.toThrow('End time');
    expect(await jobDue(event.id)).toBe(iso(start - day));
  });
});

describe('sending', () => {
  test('reaches invitees who have not declined, and the owner; and leaves the job for the next', async () => {
    const { identityId, event, start, owner, reminded } = await createReminded();
    await sendReminders(identityId, event.id, start - day);
    expect((await reminded()).sort()).toEqual(['ann@quark.example', owner].sort());
    expect(await jobDue(event.id)).toBe(iso(start - 30 * minute));
    await sendReminders(identityId, event.id, start - 30 * minute);
    expect(await reminded()).toHaveLength(4);
    expect(await jobDue(event.id)).toBe(iso(start + hour + day));
  });

  test('happens once, however often and in how many places the job runs', async () => {
    const { identityId, event, start, reminded } = await createReminded();
    await Promise.all(Array.from({ length: 8 }, () => sendReminders(identityId, event.id, start - day)));
    await sendReminders(identityId, event.id, start - day + 1);
    expect(await reminded()).toHaveLength(2);
  });

  test('does nothing too early, when cancelled or deleted', async () => {
    const { actor, identityId, event, start, reminded } = await createReminded();
    await sendReminders(identityId, event.id, start - day - 1);
    expect(await reminded()).toEqual([]);
    expect(await jobDue(event.id)).toBe(iso(start - day));
    await changeTestEvent(actor, event.id, { status: 'cancelled' });
    await sendReminders(identityId, event.id, start - day);
    await deleteEvent(actor, event.id);
    await sendReminders(identityId, event.id, start - day);
    expect(await reminded()).toEqual([]);
  });

  test('goes to the owner alone where invitees are to get no mail', async () => {
    const { identityId, event, start, owner, reminded } = await createReminded({ sendEmailReminders: false });
    await sendReminders(identityId, event.id, start - day);
    expect(await reminded()).toEqual([owner]);
  });

  test('reminds of each occurrence of a series', async () => {
    const { identityId, event, start, reminded } = await createReminded({
      recurrence: 'daily',
      reminders: [{ type: 'email', value: 1, unit: 'hours' }],
      invitees: [],
    });
    for (const at of [0, 1, 2]) {
      expect(await jobDue(event.id)).toBe(iso(start + at * day - hour));
      await sendReminders(identityId, event.id, start + at * day - hour);
    }
    expect(await reminded()).toHaveLength(3);
  });
});

describe('what is due', () => {
  const series = {
    start: Date.UTC(2026, 0, 1, 9),
    end: Date.UTC(2026, 0, 1, 10),
    timezone: 'UTC',
    allDay: false,
    frequency: 'daily' as const,
    until: null,
  };
  const dayOf = (date: number) => Date.UTC(2026, 0, date, 9);

  test('after a year of absence is what is still to come, once each', () => {
    const leads = [30, 24 * 60];
    const due = dueReminders(series, leads, series.start, Date.UTC(2027, 0, 1, 8, 40));
    expect(due.map(({ start }) => start)).toEqual([Date.UTC(2027, 0, 1, 9)]);
  });

  test('is not what has begun, but for a job that is a moment late', () => {
    expect(dueReminders(series, [0], dayOf(4) + 1, dayOf(5) + 500).map(({ start }) => start)).toEqual([dayOf(5)]);
    expect(dueReminders(series, [0], dayOf(4) + 1, dayOf(5) + hour)).toEqual([]);
  });

  test('at one moment may be of two occurrences', () => {
    for (const leads of [
      [0, 24 * 60],
      [24 * 60, 0],
    ]) {
      const due = dueReminders(series, leads, dayOf(5) - 1, dayOf(5));
      expect(due.map(({ start }) => start)).toEqual([dayOf(5), dayOf(6)]);
    }
  });

  test('next follows the earliest of all leads', () => {
    expect(nextDue(series, [10, 120], dayOf(5) - 130 * minute)).toBe(dayOf(5) - 120 * minute);
    expect(nextDue(series, [10, 120], dayOf(5) - 120 * minute)).toBe(dayOf(5) - 10 * minute);
    expect(nextDue({ ...series, until: dayOf(3) }, [10], dayOf(3))).toBeNull();
    expect(nextDue(series, [], 0)).toBeNull();
  });
});
