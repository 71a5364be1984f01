import { availabilityInput } from '@/server/features/calendar/availability.schema';
import { getAvailability } from '@/server/features/calendar/availability.service';
import {
  type CreateEventRequest,
  createEventInput,
  type EventRecord,
  type EventStatus,
  listEventsInput,
  type UpdateEventRequest,
  updateEventInput,
} from '@/server/features/calendar/calendar.schema';
import { createEvent, listEvents, updateEvent } from '@/server/features/calendar/event.service';
import type { OutgoingMail } from '@/server/features/outbox/outbox.schema';
import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';

/** Creates an event as the API does; by default one hour on 24 November 2026, 09:00 UTC. */
export async function createTestEvent(
  actor: IdentityActor,
  changes: Partial<CreateEventRequest> = {},
  status: EventStatus = 'confirmed',
): Promise<EventRecord> {
  const input = { title: 'Meeting', startTime: '2026-11-24T09:00:00Z', endTime: '2026-11-24T10:00:00Z', ...changes };
  const { event } = await createEvent(actor, createEventInput.parse(input));
  return status === 'confirmed' ? event : changeTestEvent(actor, event.id, { status });
}

export async function changeTestEvent(
  actor: IdentityActor,
  eventId: string,
  changes: Omit<UpdateEventRequest, 'eventId'>,
): Promise<EventRecord> {
  return (await updateEvent(actor, updateEventInput.parse({ eventId, ...changes }))).event;
}

export async function listTestEvents(actor: IdentityActor, query: Record<string, unknown> = {}) {
  return listEvents(actor, listEventsInput.parse(query));
}

export async function freeAt(actor: IdentityActor, startTime: string, endTime: string, excludeEventId?: string) {
  return getAvailability(actor, availabilityInput.parse({ startTime, endTime, excludeEventId }));
}

export interface QueuedMail {
  kind: string;
  subject: string;
  recipients: string[];
  mail: OutgoingMail;
}

/** The outbox of an identity, oldest first. */
export function queuedMails(identityId: string): Promise<QueuedMail[]> {
  return rows<QueuedMail>(pool(), {
    text: 'SELECT kind, subject, recipients, mail FROM outbox_mails WHERE identity_id = $1 ORDER BY id',
    values: [identityId],
  });
}
