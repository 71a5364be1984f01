import { calendarEvents } from '@/server/features/calendar/calendar.sql';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { hasWords, type SearchWord } from '@/server/platform/db/word-search';

/** Events whose titles are searched, latest start first: titles have no index, and older events are rarely searched. */
const eventsLookedAt = 5_000;

export interface TitledEvent {
  id: string;
  title: string;
  location: string | null;
  /** ISO 8601 in UTC; for a series, its first occurrence. */
  startTime: string;
}

/** Events with these words in title or location; latest start first. */
export function findEventsByTitle(identityId: string, words: readonly SearchWord[], limit: number): Promise<TitledEvent[]> {
  const values: unknown[] = [identityId, limit];
  const condition = hasWords(["(e.title || E'\\n' || coalesce(e.location, ''))"], words, (value) => `$${values.push(value)}`);
  return rows<TitledEvent>(pool(), {
    isoTimes: true,
    text: `SELECT e.id, e.title, e.location, e.start_at AS "startTime" FROM (
        SELECT id, title, location, start_at FROM ${calendarEvents} calendar_events
        WHERE identity_id = $1 ORDER BY start_at DESC, id DESC LIMIT ${eventsLookedAt}
      ) e WHERE ${condition} ORDER BY e.start_at DESC, e.id DESC LIMIT $2`,
    values,
  });
}
