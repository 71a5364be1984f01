import type pg from 'pg';
import { composeReminder } from '@/server/calendar/mail/compose';
import type { Occurrence } from '@/server/calendar/series';
import { transaction } from '@/server/db/sql';
import { publicUrl } from '@/server/env';
import { isAppError } from '@/server/errors';
import { addJob, removeJob } from '@/server/jobs/queue';
import type { JobDefinitions } from '@/server/jobs/worker';
import { enqueueMails, type NewOutboxMail } from '../mail/outbox.service';
import { reminderMinutes } from './calendar.schema';
import { eventMail, mailedEvent, partiesOf } from './event.mails';
import { type EventRow, lockEvent, seriesOf } from './event.record';
import { type EventSender, senderOf } from './event.sender';
import { dueReminders, nextReminder } from './reminders';

/**
 * Reminders. An event has one job at most, due when its next reminder is; having sent what is due, it leaves the next one. What is sent
 * and that it was sent (`reminded_until`) are written in one transaction, so a reminder goes out once, however often the job runs.
 */

const sendRemindersJob = 'send-event-reminders';

const jobKey = (eventId: string) => `event-reminders:${eventId}`;

function leadsOf({ reminders }: EventRow): number[] {
  return [...new Set(reminders.map(reminderMinutes))];
}

/** Puts the job to where the event's next reminder is due; drops it where there is none. */
export async function scheduleReminders(client: pg.PoolClient, event: EventRow): Promise<void> {
  const leads = event.status === 'cancelled' ? [] : leadsOf(event);
  const next = leads.length === 0 ? null : nextReminder(seriesOf(event), leads, Date.parse(event.remindedUntil));
  if (!next) return cancelReminders(client, event.id);
  const payload = { identityId: event.identityId, eventId: event.id };
  await addJob(client, sendRemindersJob, payload, { key: jobKey(event.id), runAt: new Date(next.dueAt) });
}

export function cancelReminders(client: pg.PoolClient, eventId: string): Promise<void> {
  return removeJob(client, jobKey(eventId));
}

/** Sends the reminders of an event that are due, and sees to the next one. Safe to call at any time, as often as one likes. */
export async function sendReminders(identityId: string, eventId: string, now = Date.now()): Promise<void> {
  await transaction(async (client) => {
    const event = await lockEvent(client, identityId, eventId).catch(unlessDeleted);
    if (!event || event.status === 'cancelled') return;
    const due = dueReminders(seriesOf(event), leadsOf(event), Date.parse(event.remindedUntil), now);
    if (due.length > 0) await remind(client, event, due, now);
    const remindedUntil = new Date(Math.max(now, Date.parse(event.remindedUntil)));
    await client.query({
      name: 'calendar-event-reminded',
      text: 'UPDATE calendar_events SET reminded_until = $3 WHERE identity_id = $1 AND id = $2',
      values: [identityId, eventId, remindedUntil],
    });
    await scheduleReminders(client, { ...event, remindedUntil: remindedUntil.toISOString() });
  });
}

function unlessDeleted(error: unknown): null {
  if (isAppError(error) && error.code === 'not_found') return null;
  throw error;
}

/** To everybody who has not declined, and to the owner; each address once. */
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
  const toInvitees = invitees.map((invitee) => {
    const content = composeReminder(mailed, partiesOf(event, sender, invitee), { now, dashboardUrl: null });
    return eventMail({ kind, event, sender, to: invitee, content });
  });
  const owner = { email: sender.owner.email, name: '' };
  const dashboardUrl = `${publicUrl()}/calendar?event=${event.id}`;
  const content = composeReminder(mailed, partiesOf(event, sender, owner), { now, dashboardUrl });
  return [...toInvitees, eventMail({ kind, event, sender, to: owner, content })];
}

export const reminderJobs: JobDefinitions = {
  tasks: {
    [sendRemindersJob]: async (payload) => {
      const { identityId, eventId } = payload as { identityId: string; eventId: string };
      await sendReminders(identityId, eventId);
    },
  },
  crontab: [],
};
