import type pg from 'pg';
import { change, emit } from '@/server/features/events/emit.service';
import type { Author } from '@/server/platform/actor';
import { calendarEvents } from './calendar.events.schema';
import { type EventRow, findEvent, lockEvent, toEventRecord } from './event.record';

/** What happens to events of the calendar, in the log that programs follow. */

type Type = keyof typeof calendarEvents.types;
type EmitOptions = Parameters<typeof emit>[3];

interface Changed {
  /** After the change, or before the deletion. */
  event: EventRow;
  before?: EventRow;
  /** Under the id that it had before, whose versions go on. */
  isRestored?: boolean;
}

export async function logChange(
  client: pg.PoolClient,
  author: Author,
  type: Type,
  { event, before, isRestored }: Changed,
  options?: EmitOptions,
): Promise<void> {
  const previous = before && toEventRecord(before);
  const { id } = event;
  await emit(
    client,
    author,
    change({ kind: calendarEvents, type, id, object: toEventRecord(event), previous, ...(isRestored ? { isNew: false } : {}) }),
    options,
  );
}

interface Invited {
  /** The organiser's, whose log gets the answer. */
  identityId: string;
  eventId: string;
  /** The invitee as the organiser knows them: all that the log says about who has answered. Null where the author says more. */
  guest: string | null;
}

/**
 * Records an answer, and logs it for the organiser. The event is locked, so that simultaneous answers are logged one after the other.
 *
 * @param record returns whether it recorded anything
 * @returns what `record` returns
 * @throws AppError not_found if there is no such event
 */
export async function answering(
  client: pg.PoolClient,
  author: Author,
  { identityId, eventId, guest }: Invited,
  record: (event: EventRow) => Promise<boolean>,
): Promise<boolean> {
  const before = await lockEvent(client, identityId, eventId);
  if (!(await record(before))) return false;
  const event = await findEvent(client, identityId, eventId);
  const options = { identityId, ...(guest === null ? {} : { actor: { type: 'guest' as const, id: null, name: guest } }) };
  await logChange(client, author, 'calendar.invitee.responded', { event, before }, options);
  return true;
}
