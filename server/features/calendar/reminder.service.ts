import type pg from 'pg';
import { outboxMails } from '@/server/features/outbox/outbox.sql';
import { pool } from '@/server/platform/db/pool';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { publicUrl } from '@/server/platform/env';
import type { Occurrence } from '@/server/platform/ical/series';
import { everyMinutes, JobKind, StandingJob } from '@/server/platform/jobs/job';
import { log } from '@/server/platform/log';
import { oncePerProcess } from '@/server/platform/process-globals';
import { enqueueMails, type NewOutboxMail, withdrawMails } from '../outbox/outbox.service';
import { mailQuotaReset } from '../usage/quota.service';
import { reminderMinutes } from './calendar.schema';
import { eventMail, eventTopic, mailedEvent, partiesOf } from './event.mails';
import { type EventRow, lockEvent, seriesOf, unlessDeleted } from './event.record';
import { type EventSender, senderOf } from './event.sender';
import { composeReminder } from './mail/compose';
import { dueReminders, nextDue } from './reminders';

/**
 * Reminders. An event has at most one job, due at its next reminder; it sends what is due and schedules the next one. The mails
 * and `reminded_until` are written in one transaction, so a reminder is sent once, however often the job runs.
 */

export const remindersJob = new JobKind<{ identityId: string; eventId: string }>('send-event-reminders');

function leadsOf({ reminders }: EventRow): number[] {
  return [...new Set(reminders.map(reminderMinutes))];
}

/** Schedules the job for the event's next reminder; removes it if there is none. */
export async function scheduleReminders(client: pg.PoolClient, event: EventRow): Promise<void> {
  const leads = event.status === 'cancelled' ? [] : leadsOf(event);
  const dueAt = nextDue(seriesOf(event), leads, Date.parse(event.remindedUntil));
  await client.query({
    name: 'calendar-reminder-due',
    text: `UPDATE calendar_events SET reminder_due_at = $3
      WHERE identity_id = $1 AND id = $2 AND reminder_due_at IS DISTINCT FROM $3::timestamptz`,
    values: [event.identityId, event.id, dueAt === null ? null : new Date(dueAt)],
  });
  if (dueAt === null) return cancelReminders(client, event.id);
  await remindersJob.schedule(client, { ...jobOf(event), at: new Date(dueAt) });
}

export function cancelReminders(client: pg.PoolClient, eventId: string): Promise<void> {
  return remindersJob.cancel(client, eventId);
}

/** Withdraws unsent reminders from the outbox after the event has moved. */
export function withdrawReminders(client: pg.PoolClient, identityId: string, eventId: string): Promise<void> {
  return withdrawMails(client, identityId, eventTopic(eventId), 'event_reminder');
}

function jobOf({ identityId, id: eventId }: { identityId: string; id: string }) {
  return { key: eventId, payload: { identityId, eventId } };
}

/** The database's current time, by which jobs are due. */
async function databaseNow(db: Queryable): Promise<number> {
  const [clock] = await rows<{ now: Date }>(db, { name: 'clock', text: 'SELECT clock_timestamp() AS now', values: [] });
  return clock?.now.getTime() ?? Date.now();
}

const minute = 60_000;

/**
 * The time up to which an event's reminders are done. A value in the future comes from a clock that was ahead; then the time of
 * the last sent reminder is used. So none is sent twice, and those that were only skipped are sent when they are due.
 */
async function remindedUntilOf(client: pg.PoolClient, event: EventRow, now: number): Promise<number> {
  const noted = Date.parse(event.remindedUntil);
  if (noted <= now + minute) return noted;
  const [sent] = await rows<{ last: Date | null }>(client, {
    name: 'calendar-last-reminder',
    text: `SELECT max(created_at) AS last FROM ${outboxMails} outbox_mails
      WHERE identity_id = $1 AND topic = $2 AND kind = 'event_reminder' AND created_at > $3`,
    values: [event.identityId, eventTopic(event.id), new Date(now)],
  });
  return Math.max(now, sent?.last?.getTime() ?? now);
}

/**
 * Sends the reminders of an event that are due, and schedules the next one. Idempotent. If the plan's daily mail quota is used
 * up, they wait for the next UTC day, and are then sent if the occurrence has not passed.
 *
 * @param at the current time, except in tests
 */
export async function sendReminders(identityId: string, eventId: string, at?: number): Promise<void> {
  try {
    await sendDueReminders(identityId, eventId, at);
  } catch (error) {
    const resetAt = mailQuotaReset(error);
    if (resetAt === null) throw error;
    log().warn({ identityId, eventId, resetAt }, 'reminders wait: the plan includes no more mail today');
    await postponeReminders(identityId, eventId, resetAt);
  }
}

/** Schedules the job of an event's reminders for a later time. */
async function postponeReminders(identityId: string, eventId: string, until: Date): Promise<void> {
  await transaction({ kind: 'system', cause: 'reminders' }, async (client) => {
    const { rowCount } = await client.query({
      name: 'calendar-reminders-postpone',
      text: 'UPDATE calendar_events SET reminder_due_at = $3 WHERE identity_id = $1 AND id = $2 AND reminder_due_at <= $3',
      values: [identityId, eventId, until],
    });
    if (rowCount === 0) return;
    await remindersJob.schedule(client, { ...jobOf({ identityId, id: eventId }), at: until });
  });
}

async function sendDueReminders(identityId: string, eventId: string, at: number | undefined): Promise<void> {
  await transaction({ kind: 'system', cause: 'reminders' }, async (client) => {
    const event = await lockEvent(client, identityId, eventId).catch(unlessDeleted);
    if (!event || event.status === 'cancelled') return;
    const now = at ?? (await databaseNow(client));
    const after = await remindedUntilOf(client, event, now);
    const due = dueReminders(seriesOf(event), leadsOf(event), after, now);
    if (due.length > 0) await remind(client, event, due, now);
    const remindedUntil = new Date(Math.max(now, after));
    await client.query({
      name: 'calendar-event-reminded',
      text: 'UPDATE calendar_events SET reminded_until = $3 WHERE identity_id = $1 AND id = $2',
      values: [identityId, eventId, remindedUntil],
    });
    await scheduleReminders(client, { ...event, remindedUntil: remindedUntil.toISOString() });
  });
}

/** Events per sweep. */
const sweepSize = 500;

/**
 * Queues jobs for events with overdue reminders: the process that ran their job may have died, and its jobs stay locked for
 * hours. For reminders that are being sent right now, the extra job does nothing.
 */
export async function sweepReminders(): Promise<void> {
  const swept = oncePerProcess('reminder-sweep', () => ({ at: Number.POSITIVE_INFINITY }));
  const now = await databaseNow(pool());
  if (now < swept.at) await sweepFutureTimes();
  swept.at = now;
  const due = await rows<{ id: string; identityId: string }>(pool(), {
    name: 'calendar-reminders-due',
    text: `SELECT id, identity_id AS "identityId" FROM calendar_events WHERE reminder_due_at <= now()
      ORDER BY reminder_due_at LIMIT ${sweepSize}`,
    values: [],
  });
  await remindersJob.schedule(pool(), due.map(jobOf));
}

/** Queues jobs for events that were processed at a time in the future: once per process, and whenever the clock went back. */
async function sweepFutureTimes(): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const ahead = await rows<{ id: string; identityId: string }>(pool(), {
      name: 'calendar-reminded-ahead',
      text: `SELECT id, identity_id AS "identityId" FROM calendar_events
        WHERE id > $1 AND reminded_until > now() + interval '1 minute' AND status <> 'cancelled' AND (over_at IS NULL OR over_at > now())
        ORDER BY id LIMIT ${sweepSize}`,
      values: [after],
    });
    await remindersJob.schedule(pool(), ahead.map(jobOf));
    const last = ahead.at(-1);
    if (!last || ahead.length < sweepSize) return;
    after = last.id;
  }
}

/** Mails the owner and all invitees who have not declined, each address once. */
async function remind(client: pg.PoolClient, event: EventRow, due: readonly Occurrence[], now: number): Promise<void> {
  const sender = await senderOf(client, event);
  await enqueueMails(
    client,
    due.flatMap((occurrence) => remindersOf(event, sender, occurrence, now)),
  );
}

function remindersOf(event: EventRow, sender: EventSender, occurrence: Occurrence, now: number): NewOutboxMail[] {
  const isTold = ({ isOrganizer, responseStatus, email }: EventRow['invitees'][number]) =>
    !isOrganizer && responseStatus !== 'declined' && email !== sender.owner.email;
  const invitees = event.sendEmailReminders ? event.invitees.filter(isTold) : [];
  const mailed = { ...mailedEvent(event), occurrence };
  const kind = 'event_reminder';
  const expiresAt = new Date(occurrence.end);
  const toInvitees = invitees.map((invitee) => {
    const content = composeReminder(mailed, partiesOf(event, sender, invitee), { now, dashboardUrl: null });
    return eventMail({ kind, event, sender, to: invitee, content, expiresAt });
  });
  const owner = { email: sender.owner.email, name: '' };
  const dashboardUrl = `${publicUrl()}/calendar?event=${event.id}`;
  const content = composeReminder(mailed, partiesOf(event, sender, owner), { now, dashboardUrl });
  return [...toInvitees, eventMail({ kind, event, sender, to: owner, content, expiresAt })];
}

export const reminderJobs = [
  remindersJob.handledBy(({ payload }) => sendReminders(payload.identityId, payload.eventId)),
  new StandingJob('sweep-reminders', everyMinutes(1), sweepReminders),
];
