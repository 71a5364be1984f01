import { calendarEvents } from '@/server/features/calendar/calendar.sql';
import { pool } from '@/server/platform/db/pool';
import { escapeLike, rows } from '@/server/platform/db/sql';

/** Events whose titles are searched, latest start first: titles have no index, and older events are rarely searched. */
const eventsLookedAt = 5_000;

export interface TitledEvent {
  id: string;
  title: string;
  location: string | null;
  /** ISO 8601 in UTC; for a series, its first occurrence. */
  startTime: string;
}

/** Events with `query` in their title, ignoring case; latest start first. */
export function findEventsByTitle(identityId: string, query: string, limit: number): Promise<TitledEvent[]> {
  return rows<TitledEvent>(pool(), {
    name: 'search-event-titles',
    isoTimes: true,
    text: `SELECT e.id, e.title, e.location, e.start_at AS "startTime" FROM (
        SELECT id, title, location, start_at FROM ${calendarEvents} calendar_events
        WHERE identity_id = $1 ORDER BY start_at DESC, id DESC LIMIT ${eventsLookedAt}
      ) e WHERE e.title ILIKE $2 ORDER BY e.start_at DESC, e.id DESC LIMIT $3`,
    values: [identityId, `%${escapeLike(query)}%`, limit],
  });
}
