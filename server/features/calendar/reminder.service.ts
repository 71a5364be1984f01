import type pg from 'pg';
import { outboxMails } from '@/server/features/outbox/outbox.sql';
import { pool } from '@/server/platform/db/pool';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { publicUrl } from '@/server/platform/env';
import { spanOf } from '@/server/platform/ical/recurrence';
import type { Occurrence } from '@/server/platform/ical/series';
import { JobKind } from '@/server/platform/jobs/job';
import { log } from '@/server/platform/log';
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
 * and `reminded_until` are written in one transaction, so a reminder is sent once, however often the job runs, and whenever.
 */

export const remindersJob = new JobKind<{ identityId: string; eventId: string }>('send-event-reminders');

const minute = 60_000;

function leadsOf({ reminders }: EventRow): number[] {
  return [...new Set(reminders.map(reminderMinutes))];
}

/** Milliseconds for which an event keeps its job after its end. */
const lastLook = 24 * 60 * minute;

/**
 * When an event is looked at next: at its next reminder; and without one, a day after its end. That job only runs earlier if the clock was ahead
 * and is set back, and then finds the reminders that were left out as being past.
 */
function nextLook(event: EventRow): number | null {
  const leads = event.status === 'cancelled' ? [] : leadsOf(event);
  if (leads.length === 0) return null;
  const [series, after] = [seriesOf(event), Date.parse(event.remindedUntil)];
  const next = nextDue(series, leads, after);
  if (next !== null) return next;
  const { end } = spanOf(series);
  return end !== null && end + lastLook > Math.max(after, Date.now()) ? end + lastLook : null;
}

/** Schedules the job of an event for when it is looked at next; removes it if that is never. */
export async function scheduleReminders(client: pg.PoolClient, event: EventRow): Promise<void> {
  const next = nextLook(event);
  if (next === null) return cancelReminders(client, event.id);
  await remindersJob.schedule(client, { ...jobOf(event), at: new Date(next) });
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
    await remindersJob.schedule(pool(), { ...jobOf({ identityId, id: eventId }), at: resetAt });
  }
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

export const remindersHandler = remindersJob.handledBy(({ payload }) => sendReminders(payload.identityId, payload.eventId));
