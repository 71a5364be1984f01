import { agents } from '@/server/features/agents/agent.sql';
import { identities } from '@/server/platform/auth/accounts.sql';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { AppError, isAppError } from '@/server/platform/errors';
import { uuid } from '@/server/platform/fields.schema';
import type { Frequency, Series } from '@/server/platform/ical/series';
import type { announcedFields, EventColor, EventRecord, EventStatus, Reminder, VirtualMeeting } from './calendar.schema';
import type { InviteeRecord } from './invitee.schema';

/** Reading events: columns, rows, and their form in the API. */

export function eventNotFound(): AppError {
  return new AppError('not_found', 'Event not found');
}

/** For `catch`: null where the event is not there, or no longer. */
export function unlessDeleted(error: unknown): null {
  if (isAppError(error) && error.code === 'not_found') return null;
  throw error;
}

/** The stored times of an event; ISO 8601. */
export interface StoredTimes {
  startTime: string;
  endTime: string;
  timezone: string;
  allDay: boolean;
  recurrence: Frequency;
  recurrenceEndDate: string | null;
}

/** Times are ISO 8601 text. */
export interface EventRow extends StoredTimes {
  id: string;
  identityId: string;
  title: string;
  description: string;
  location: string;
  virtualMeeting: VirtualMeeting | null;
  color: EventColor;
  status: EventStatus;
  sendEmailReminders: boolean;
  agentId: string | null;
  reminders: Reminder[];
  invitees: InviteeRecord[];
  agent: { id: string; name: string; avatarUrl: string } | null;
  sequence: number;
  /** The state that all invitees were last notified of; null before the first mail to all. */
  announced: Partial<Pick<EventRecord, (typeof announcedFields)[number]>> | null;
  revision: number;
  /** The identity's own address. */
  address: string | null;
  remindedUntil: string;
  createdAt: string;
  updatedAt: string;
}

/** The agent of the event `e` as JSON. */
export const agentColumn = `(SELECT json_build_object('id', a.id, 'name', a.name, 'avatarUrl', a.avatar_url) FROM ${agents} a
  WHERE a.identity_id = e.identity_id AND a.id = e.agent_id)`;

/** ISO 8601 with milliseconds, the API's format, for use inside of JSON. */
const isoTime = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The invitees of the event `e` as a JSON array in order; `i` is its identity. */
export const inviteesColumn = `(SELECT coalesce(json_agg(json_build_object(
    'id', v.id, 'email', v.email, 'name', v.name, 'responseStatus', v.response, 'isOrganizer', v.email IS NOT DISTINCT FROM i.address,
    'isOptional', v.is_optional, 'invitedAt', ${isoTime('v.invited_at')}, 'answeredAt', ${isoTime('v.answered_at')}, 'answeredBy', v.answered_by,
    'answerVerified', v.answer_verified
  ) ORDER BY v.position, v.id), '[]') FROM calendar_invitees v WHERE v.identity_id = e.identity_id AND v.event_id = e.id)`;

const eventColumns = `e.id, e.identity_id AS "identityId", e.title, e.description, e.location, e.start_at AS "startTime",
  e.end_at AS "endTime", e.timezone, e.all_day AS "allDay", e.virtual_meeting AS "virtualMeeting", e.color, e.recurrence,
  e.recurrence_end_at AS "recurrenceEndDate", e.status, e.send_email_reminders AS "sendEmailReminders", e.agent_id AS "agentId",
  e.reminders, ${inviteesColumn} AS invitees, ${agentColumn} AS agent, e.sequence, e.announced, e.revision, i.address,
  e.reminded_until AS "remindedUntil", e.created_at AS "createdAt", e.updated_at AS "updatedAt"`;

const eventById = `SELECT ${eventColumns} FROM calendar_events e JOIN ${identities} i ON i.id = e.identity_id
  WHERE e.identity_id = $1 AND e.id = $2`;

/** False for a text that is the id of no event. */
export function isEventId(eventId: string): boolean {
  return uuid.safeParse(eventId).success;
}

/** @throws AppError not_found for an invalid id */
export function checkEventId(eventId: string): void {
  if (!isEventId(eventId)) throw eventNotFound();
}

/** @throws AppError not_found */
export async function findEvent(db: Queryable, identityId: string, eventId: string): Promise<EventRow> {
  checkEventId(eventId);
  const [event] = await rows<EventRow>(db, {
    name: 'calendar-event',
    isoTimes: true,
    text: eventById,
    values: [identityId, eventId],
  });
  if (!event) throw eventNotFound();
  return event;
}

/** Like `findEvent`, and locks the event and its list of invitees until the end of the transaction. */
export async function lockEvent(db: Queryable, identityId: string, eventId: string): Promise<EventRow> {
  checkEventId(eventId);
  const locked = await rows(db, {
    name: 'calendar-event-lock',
    text: 'SELECT 1 FROM calendar_events WHERE identity_id = $1 AND id = $2 FOR NO KEY UPDATE',
    values: [identityId, eventId],
  });
  if (locked.length === 0) throw eventNotFound();
  // A separate statement, to see what the previous holder of the lock has written.
  return findEvent(db, identityId, eventId);
}

/** Converts stored times for the calendar's pure functions. */
export function seriesOf(times: StoredTimes): Series {
  return {
    start: Date.parse(times.startTime),
    end: Date.parse(times.endTime),
    timezone: times.timezone,
    allDay: times.allDay,
    frequency: times.recurrence,
    until: times.recurrenceEndDate === null ? null : Date.parse(times.recurrenceEndDate),
  };
}

/** Converts a stored event to its form in the API. */
export function toEventRecord(row: EventRow): EventRecord {
  const { sequence: _sequence, announced: _announced, address: _address, remindedUntil: _remindedUntil, ...record } = row;
  return record;
}
