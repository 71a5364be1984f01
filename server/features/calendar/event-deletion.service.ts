import type pg from 'pg';
import { keepDeleted, takeDeleted } from '@/server/features/deletions/deletion.service';
import type { IdentityActor } from '@/server/platform/actor';
import { requireScope } from '@/server/platform/auth/access';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import type { EventAnswer } from './calendar.schema';
import { remindsInvitees } from './event.changes';
import { logChange } from './event.log';
import { checkEventId, type EventRow, findEvent, lockEvent, toEventRecord } from './event.record';
import { columnsOf, insertEvent } from './event.service';
import { cancelReminders, scheduleReminders, withdrawReminders } from './reminder.service';

/** What only the calendar itself knows of an event. */
interface Internals {
  rescheduledSequence: number;
  /** The rows. */
  invitees: object[];
}

interface DeletedEvent extends Internals {
  event: EventRow;
}

async function readInternals(client: pg.PoolClient, identityId: string, eventId: string): Promise<Internals> {
  const [found] = await rows<Internals>(client, {
    name: 'calendar-event-internals',
    text: `SELECT e.rescheduled_sequence AS "rescheduledSequence", (SELECT coalesce(json_agg(v), '[]') FROM calendar_invitees v
        WHERE v.identity_id = e.identity_id AND v.event_id = e.id) AS invitees
      FROM calendar_events e WHERE e.identity_id = $1 AND e.id = $2`,
    values: [identityId, eventId],
  });
  if (!found) throw new Error('an event that is locked is there');
  return found;
}

/**
 * `DELETE /calendar/events/{eventId}`: deletes responses and reminders, too, and sends no email. It can be restored for 30 days.
 * @throws AppError not_found
 */
export async function deleteEvent(actor: IdentityActor, eventId: string): Promise<{ success: true }> {
  const { identityId } = actor;
  return transaction(actor, async (client) => {
    const event = await lockEvent(client, identityId, eventId);
    const deleted: DeletedEvent = { ...(await readInternals(client, identityId, event.id)), event };
    await client.query({
      name: 'calendar-event-delete',
      text: 'DELETE FROM calendar_events WHERE identity_id = $1 AND id = $2',
      values: [identityId, event.id],
    });
    await cancelReminders(client, event.id);
    await withdrawReminders(client, identityId, event.id);
    await keepDeleted(client, { identityId, kind: 'event', id: event.id }, deleted);
    await logChange(client, actor, 'calendar.event.deleted', { event });
    return { success: true };
  });
}

/**
 * `POST /calendar/events/{eventId}/restore`: restores the event under its id, with its invitees, their answers and its reminders. Sends no
 * email, because the deletion sent none; links in earlier invitations work again. An event that is not deleted stays as it is.
 *
 * @throws AppError not_found if it is unknown or was deleted more than 30 days ago, insufficient_scope for a key that may not send mail, if
 *   invitees are mailed by a reminder
 */
export async function restoreEvent(actor: IdentityActor, eventId: string): Promise<EventAnswer> {
  const { identityId } = actor;
  checkEventId(eventId);
  return transaction(actor, async (client) => {
    const deleted = await takeDeleted<DeletedEvent>(client, { identityId, kind: 'event', id: eventId });
    if (!deleted) return { success: true, event: toEventRecord(await findEvent(client, identityId, eventId)) };
    if (remindsInvitees(deleted.event)) requireScope(actor, 'conversations:send');
    await writeDeleted(client, identityId, deleted);
    const event = await findEvent(client, identityId, eventId);
    await scheduleReminders(client, event);
    await logChange(client, actor, 'calendar.event.created', { event, isRestored: true });
    return { success: true, event: toEventRecord(event) };
  });
}

async function writeDeleted(
  client: pg.PoolClient,
  identityId: string,
  { event, rescheduledSequence, invitees }: DeletedEvent,
): Promise<void> {
  const values = columnsOf(event)
    .set('status', event.status)
    .set('sequence', event.sequence)
    .set('rescheduled_sequence', rescheduledSequence)
    .set('announced', event.announced && JSON.stringify(event.announced))
    .set('revision', event.revision + 1)
    .set('reminded_until', event.remindedUntil)
    .set('created_at', event.createdAt);
  await insertEvent(client, identityId, event.id, values);
  const columns = `id, identity_id, event_id, email, name, is_optional, response, answered_by, answered_at, answer_verified, replied_at,
    announced_sequence, invited_at, position`;
  await client.query({
    name: 'calendar-invitees-restore',
    text: `INSERT INTO calendar_invitees (${columns})
      SELECT ${columns} FROM json_populate_recordset(NULL::calendar_invitees, $1)`,
    values: [JSON.stringify(invitees)],
  });
}
