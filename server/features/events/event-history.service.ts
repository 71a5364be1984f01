import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import type { EventHistory, ReadHistoryInput } from './event.schema';
import {
  columns,
  cursorOf,
  type EventRow,
  endOfLog,
  type Place,
  placeOf,
  readByKey,
  scannedMaximum,
  toEvent,
  typeConditions,
} from './event-log.service';

type Key = Pick<Place, 'position' | 'seq'>;

interface Page {
  events: EventRow[];
  /** The last event that was looked at; null if there are no older ones. */
  last: Key | null;
}

async function readAll(identityId: string, { position, seq }: Key, limit: number): Promise<Page> {
  const found = await rows<EventRow>(pool(), {
    name: 'event-history-page',
    isoTimes: true,
    text: `SELECT ${columns} FROM event_log WHERE identity_id = $1 AND (position, seq) < ($2::bigint, $3::bigint)
      ORDER BY event_log.position DESC, event_log.seq DESC LIMIT $4`,
    values: [identityId, position, seq, limit + 1],
  });
  const events = found.slice(0, limit);
  return { events, last: found.length > limit ? (events.at(-1) ?? null) : null };
}

/** Looks for types among a bounded number of events, as reading forwards does. */
async function readTypes(identityId: string, { position, seq }: Key, limit: number, patterns: readonly string[]): Promise<Page> {
  const { exact, like } = typeConditions(patterns);
  const scanned = await rows<Key & { is_wanted: boolean; scanned: number }>(pool(), {
    name: 'event-history-scan',
    text: `WITH scanned AS (
        SELECT position, seq, type = ANY ($4::text[]) OR type LIKE ANY ($5::text[]) AS is_wanted FROM event_log
        WHERE identity_id = $1 AND (position, seq) < ($2::bigint, $3::bigint) ORDER BY position DESC, seq DESC LIMIT $6
      ), found AS (
        (SELECT * FROM scanned WHERE is_wanted ORDER BY position DESC, seq DESC LIMIT $7)
        UNION ALL (SELECT position, seq, false FROM scanned ORDER BY position, seq LIMIT 1)
      )
      SELECT f.position::text, f.seq::text, f.is_wanted, (SELECT count(*)::int FROM scanned) AS scanned FROM found f
      ORDER BY f.is_wanted DESC, f.position DESC, f.seq DESC`,
    values: [identityId, position, seq, exact, like, scannedMaximum, limit + 1],
  });
  const wanted = scanned.filter(({ is_wanted }) => is_wanted);
  const taken = wanted.slice(0, limit);
  const events = taken.length === 0 ? [] : (await readByKey(identityId, taken)).toReversed();
  if (wanted.length > limit) return { events, last: taken.at(-1) ?? null };
  const last = scanned.at(-1);
  return { events, last: last?.scanned === scannedMaximum ? last : null };
}

/**
 * Events of the identity from newest to oldest, for people who look back. Begins with the newest event that readers of the log get:
 * whoever follows from `after=now` before reading this misses nothing.
 * @throws AppError invalid_cursor for an expired or foreign cursor
 */
export async function readHistory(actor: IdentityActor, { before, types, limit }: ReadHistoryInput): Promise<EventHistory> {
  const { identityId } = actor;
  const place = before === undefined ? await endOfLog() : placeOf(identityId, before);
  const isWhole = !types || types.includes('*');
  const { events, last } = await (isWhole ? readAll(identityId, place, limit) : readTypes(identityId, place, limit, types));
  return { events: events.map(toEvent), next: last && cursorOf(identityId, { ...last, at: Date.now() }) };
}
