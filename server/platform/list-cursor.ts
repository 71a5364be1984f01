import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type AppError, invalidFields } from './errors';
import { findUnsupportedValues } from './operations/unsupported-values';

/** Where a page of an ordered list begins: behind a record. */
export interface ListPosition {
  /** What the list is ordered by, and the id, of the record before the page. */
  after: [value: string, id: string];
  /** Number of records before the page. */
  before: number;
  /** How many records the list's first page has counted. */
  matches: number;
}

/** What tells lists apart: name, owner and filters. A cursor of one list is refused by all others. */
export type ListKey = readonly unknown[];

const count = z.int().min(0).max(1e12);
const contentSchema = z.tuple([z.string(), z.string().max(1_000), z.uuid(), count, count]);

function fingerprint(list: ListKey): string {
  return createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 11);
}

/** A position as text that clients pass back; they can't rely on its content. */
function cursorOf(list: ListKey, { after: [value, id], before, matches }: ListPosition): string {
  return Buffer.from(JSON.stringify([fingerprint(list), value, id, before, matches])).toString('base64url');
}

/** The cursor behind a page; null behind the last one. */
export function nextCursorOf<Row extends { id: string }>(
  list: ListKey,
  { page, matches, hasMore }: { page: readonly Row[]; matches: number; hasMore: boolean },
  orderOf: (row: Row) => string,
  before: number,
): string | null {
  const last = page.at(-1);
  return hasMore && last ? cursorOf(list, { after: [orderOf(last), last.id], before: before + page.length, matches }) : null;
}

function notOfThisList(): AppError {
  return invalidFields({ cursor: 'is not a cursor of this list with these filters' });
}

function contentOf(cursor: string): z.output<typeof contentSchema> {
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw notOfThisList();
  }
  const parsed = contentSchema.safeParse(content);
  // Clients can write cursors themselves, so what they contain is checked like all input.
  if (!parsed.success || findUnsupportedValues(parsed.data)) throw notOfThisList();
  return parsed.data;
}

/** True for a time as the API writes it, which PostgreSQL can read: it knows no year 0. */
function isTime(value: string): boolean {
  const milliseconds = Date.parse(value);
  return (
    !Number.isNaN(milliseconds) &&
    new Date(milliseconds).toISOString() === value &&
    /^\d{4}-/.test(value) &&
    !value.startsWith('0000')
  );
}

/** What a ranked list is ordered by, as a part of a cursor. A record without a score is one of those behind the ranked ones. */
export function rankText({ score, time }: { score: number | null; time: string }): string {
  return `${score ?? 'rest'} ${time}`;
}

/** A position in a ranked list. @throws AppError invalid_request for one that is of no such list */
export function rankedPositionOf({ after: [rank, id], ...counts }: ListPosition): ListPosition & { score: number | null } {
  const [, score, time = ''] = /^(\d{1,6}|rest) (\S+)$/.exec(rank) ?? [];
  if (!isTime(time)) throw notOfThisList();
  return { ...counts, after: [time, id], score: score === 'rest' ? null : Number(score) };
}

/**
 * The position that a request asks for; undefined for one without a cursor.
 * @param orderedBy what the list is ordered by
 * @throws AppError invalid_request for a cursor of another list, or beside an offset
 */
export function positionOf(
  list: ListKey,
  { cursor, offset }: { cursor?: string | undefined; offset: number },
  orderedBy: 'time' | 'name' | 'rank' = 'time',
): ListPosition | undefined {
  if (cursor === undefined) return undefined;
  if (offset > 0) throw invalidFields({ offset: 'can’t be combined with a cursor' });
  const [key, value, id, before, matches] = contentOf(cursor);
  if (key !== fingerprint(list) || (orderedBy === 'time' && !isTime(value))) throw notOfThisList();
  return { after: [value, id], before, matches };
}
