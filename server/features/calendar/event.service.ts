import type pg from 'pg';
import { v7 } from 'uuid';
import type { IdentityActor } from '@/server/platform/actor';
import { requireScope } from '@/server/platform/auth/access';
import { identities } from '@/server/platform/auth/accounts.sql';
import { pool } from '@/server/platform/db/pool';
import { lockRevision, type Version } from '@/server/platform/db/record-version';
import { rows, violatedConstraint } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { AppError, invalidFields } from '@/server/platform/errors';
import { canonicalZone } from '@/server/platform/ical/zone-names';
import type { RecordVersion } from '@/server/platform/operations/operation';
import type { CreateEventInput, EventAnswer, EventList, EventRecord, ListEventsInput, UpdateEventInput } from './calendar.schema';
import { affectsInvitees, changesReminders, isMoved, isRescheduled } from './event.changes';
import { listEventPage } from './event.list';
import { logChange } from './event.log';
import {
  agentColumn,
  type EventRow,
  findEvent,
  inviteesColumn,
  isEventId,
  lockEvent,
  seriesOf,
  toEventRecord,
} from './event.record';
import { checkOrder, checkRecurrenceEnd, indexColumns } from './event.times';
import { announce } from './invitations';
import { replaceInvitees, writeInvitees } from './invitees';
import { scheduleReminders, withdrawReminders } from './reminder.service';

/** `GET /calendar/events`. */
export function listEvents(actor: IdentityActor, input: ListEventsInput): Promise<EventList> {
  return listEventPage(actor.identityId, input);
}

type OfOthers = Pick<EventRecord, 'agent' | 'invitees'>;

/** What an event shows of its agent, and of its invitees' answers: those who change it do not answer for them. */
const ofOthers = ({ agent, invitees }: OfOthers) => [
  agent && [agent.name, agent.avatarUrl],
  invitees.map((invitee) => [
    ...[invitee.id, invitee.responseStatus, invitee.isOrganizer, invitee.invitedAt],
    ...[invitee.answeredAt, invitee.answeredBy, invitee.answerVerified],
  ]),
];

export const eventVersion: RecordVersion<{ eventId: string }, { event: EventRecord }> = {
  lock: async (db, { identityId }, { eventId }) => {
    if (!isEventId(eventId)) return null;
    return lockRevision(db, {
      name: 'calendar-event-revision',
      text: 'SELECT revision FROM calendar_events WHERE identity_id = $1::uuid AND id = $2::uuid FOR NO KEY UPDATE',
      values: [identityId, eventId],
    });
  },
  others: ({ event }) => ofOthers(event),
  read: async ({ identityId }, { eventId }) => {
    if (!isEventId(eventId)) return null;
    const [found] = await rows<Version & OfOthers>(pool(), {
      name: 'calendar-event-version',
      isoTimes: true,
      text: `SELECT e.revision, e.updated_at AS "updatedAt", ${inviteesColumn} AS invitees, ${agentColumn} AS agent
        FROM calendar_events e JOIN ${identities} i ON i.id = e.identity_id WHERE e.identity_id = $1 AND e.id = $2`,
      values: [identityId, eventId],
    });
    return found ? { revision: found.revision, updatedAt: found.updatedAt, others: ofOthers(found) } : null;
  },
};

/** @throws AppError not_found */
export async function getEvent(actor: IdentityActor, eventId: string): Promise<{ event: EventRecord }> {
  return { event: toEventRecord(await findEvent(pool(), actor.identityId, eventId)) };
}

/** Fields that are stored unchanged, with their columns. */
const columns = {
  title: 'title',
  description: 'description',
  location: 'location',
  startTime: 'start_at',
  endTime: 'end_at',
  timezone: 'timezone',
  allDay: 'all_day',
  virtualMeeting: 'virtual_meeting',
  color: 'color',
  recurrence: 'recurrence',
  recurrenceEndDate: 'recurrence_end_at',
  agentId: 'agent_id',
  sendEmailReminders: 'send_email_reminders',
  reminders: 'reminders',
} as const;

type StoredField = keyof typeof columns;

const storedFields = Object.keys(columns) as StoredField[];

export type StoredEvent = Pick<EventRow, StoredField>;

/**
 * The event after a change: the given fields, and the existing ones otherwise.
 *
 * @throws AppError invalid_request for an unknown time zone
 */
function merge<Event extends StoredEvent>(before: Event, input: Partial<StoredEvent>): Event {
  const after = { ...before };
  for (const field of storedFields) {
    if (input[field] !== undefined) Object.assign(after, { [field]: input[field] });
  }
  const timezone = canonicalZone(after.timezone);
  if (timezone === undefined) throw invalidFields({ timezone: 'must be an IANA time zone such as Europe/Berlin' });
  return { ...after, timezone };
}

/** @throws AppError invalid_request if the times contradict each other */
function checkTimes(event: StoredEvent): void {
  checkOrder(event.startTime, event.endTime);
  checkRecurrenceEnd(seriesOf(event));
}

/** All columns derived from the given fields, including those of the search indexes. */
export function columnsOf(event: StoredEvent): Map<string, unknown> {
  const values = new Map<string, unknown>();
  for (const field of storedFields) {
    const value = event[field];
    const isJson = field === 'reminders' || (field === 'virtualMeeting' && value !== null);
    values.set(columns[field], isJson ? JSON.stringify(value) : value);
  }
  for (const [column, value] of Object.entries(indexColumns(seriesOf(event)))) values.set(column, value);
  return values;
}

/** Translates a database error to the contract's. */
function refusal(error: unknown): unknown {
  if (violatedConstraint(error) !== 'calendar_events_identity_id_agent_id_fkey') return error;
  return new AppError('not_found', 'Agent not found');
}

/**
 * `POST /calendar/events`: creates the event with its invitees, the invitations in the outbox and the first reminder's job,
 * atomically.
 *
 * @throws AppError invalid_request if the times contradict each other; not_found for an agent that is not this identity's;
 *   insufficient_scope for a key that may not send mail, if there are invitees to mail
 */
export async function createEvent(actor: IdentityActor, { invitees, ...input }: CreateEventInput): Promise<EventAnswer> {
  const { identityId } = actor;
  const stored = merge<StoredEvent>(input, {});
  checkTimes(stored);
  const id = v7();
  return transaction(actor, async (client) => {
    await insertEvent(client, identityId, id, columnsOf(stored));
    await writeInvitees(client, { identityId, eventId: id }, invitees);
    const created = await findEvent(client, identityId, id);
    const event = await announce(actor, client, created, { invited: created.sendEmailReminders ? created.invitees : [] });
    await scheduleReminders(client, event);
    await logChange(client, actor, 'calendar.event.created', { event });
    return { success: true, event: toEventRecord(event) };
  });
}

/** Writes the row of a new event. @throws AppError not_found for an agent that is not this identity's */
export async function insertEvent(
  client: pg.PoolClient,
  identityId: string,
  id: string,
  values: Map<string, unknown>,
): Promise<void> {
  const names = ['identity_id', 'id', ...values.keys()];
  try {
    await client.query({
      name: `calendar-event-insert ${values.size}`,
      text: `INSERT INTO calendar_events (${names.join(', ')}) VALUES (${names.map((_name, index) => `$${index + 1}`).join(', ')})`,
      values: [identityId, id, ...values.values()],
    });
  } catch (error) {
    throw refusal(error);
  }
}

/**
 * `PATCH /calendar/events/{eventId}`: only supplied fields change; `invitees` is the whole list. Mails: specification,
 * "Calendar".
 *
 * @throws AppError invalid_request, edited_elsewhere if the event is no longer at `ifRevision`, not_found (the event, or its
 *   agent), insufficient_scope for a key that may not send mail, if invitees are mailed now or by a reminder
 */
export async function updateEvent(actor: IdentityActor, input: UpdateEventInput): Promise<EventAnswer> {
  const { identityId } = actor;
  return transaction(actor, async (client) => {
    const before = await lockEvent(client, identityId, input.eventId);
    if (input.ifRevision !== undefined && input.ifRevision !== before.revision) throw editedElsewhere(before.revision);
    const given = merge<EventRow>(before, input as Partial<StoredEvent>);
    checkTimes(given);
    const target = { ...given, status: input.status ?? before.status };
    const { added, removed } = await replaceInvitees(client, before, input.invitees);
    const isNotified = input.notifyAttendeesOfChanges === true;
    const change = {
      // A newly added invitee may know the current number from an earlier cancellation.
      affectsInvitees:
        affectsInvitees(before, target) || (isNotified && removed.length > 0) || (before.sequence > 0 && added.length > 0),
      isMoved: isMoved(before, target),
      isRescheduled: isRescheduled(before, target),
    };
    await writeEvent(client, target, change);
    const changed = await findEvent(client, identityId, input.eventId);
    const isNew = (invitee: { email: string }) => added.includes(invitee.email);
    const invitesNew = changed.sendEmailReminders || isNotified;
    if (changesReminders(before, changed)) requireScope(actor, 'conversations:send');
    const event = await announce(actor, client, changed, {
      invited: invitesNew ? changed.invitees.filter(isNew) : [],
      updated: isNotified ? changed.invitees.filter((invitee) => !isNew(invitee)) : [],
      removed: isNotified ? removed : [],
      before,
    });
    if (change.isMoved || event.status === 'cancelled') await withdrawReminders(client, identityId, event.id);
    await scheduleReminders(client, event);
    const isCancelled = event.status === 'cancelled' && before.status !== 'cancelled';
    await logChange(client, actor, isCancelled ? 'calendar.event.cancelled' : 'calendar.event.updated', { event, before });
    return { success: true, event: toEventRecord(event) };
  });
}

function editedElsewhere(revision: number): AppError {
  return new AppError('edited_elsewhere', 'This event was changed in the meantime.', { details: { revision } });
}

interface EventChange {
  affectsInvitees: boolean;
  isMoved: boolean;
  isRescheduled: boolean;
}

async function writeEvent(client: pg.PoolClient, event: EventRow, change: EventChange): Promise<void> {
  const values = columnsOf(event).set('status', event.status);
  const assignments = [...values.keys()].map((column, index) => `${column} = $${index + 3}`);
  // Skips overdue reminders, both of the previous and of the new times.
  if (change.isRescheduled) assignments.push('reminded_until = clock_timestamp()');
  if (change.affectsInvitees) assignments.push('sequence = sequence + 1');
  if (change.isMoved) assignments.push('rescheduled_sequence = sequence + 1');
  try {
    await client.query({
      text: `UPDATE calendar_events SET ${assignments.join(', ')}, revision = revision + 1, updated_at = clock_timestamp()
        WHERE identity_id = $1 AND id = $2`,
      values: [event.identityId, event.id, ...values.values()],
    });
  } catch (error) {
    throw refusal(error);
  }
}
