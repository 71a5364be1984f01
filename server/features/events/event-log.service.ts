import { createHash } from 'node:crypto';
import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { env } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';
import { planTerms } from '@/server/platform/plan';
import type { EventActor, EventPage, EventRecord, ReadEventsInput } from './event.schema';
import { countWaiting, isStopping, waitForEvents } from './event-signals.service';

/** Events that one request looks through for its types; then it says where to go on. */
export const scannedMaximum = 10_000;

/** Requests that may wait for events of one identity in one process, and those of one key or session. */
const [waitingMaximum, waitingEach] = [50, 20];

/** @throws AppError rate_limit_exceeded if no further request of this caller may wait */
function refuseToWait(actor: IdentityActor, caller: string): void {
  const limit = countWaiting(actor.identityId, caller) >= waitingEach ? waitingEach : waitingMaximum;
  if (limit === waitingMaximum && countWaiting(actor.identityId) < limit) return;
  const whose = limit === waitingEach ? ' of one key' : '';
  throw new AppError('rate_limit_exceeded', `At most ${limit} requests${whose} wait for events at the same time.`, {
    details: {
      limit,
      remaining: 0,
      resetAt: new Date(Date.now() + retryAfter * 1000).toISOString(),
      ...(actor.kind === 'apiKey' ? { plan: planTerms[actor.plan].label } : {}),
    },
    headers: { 'Retry-After': String(retryAfter) },
  });
}

/** Seconds after which one that was refused may come again. */
const retryAfter = 5;

function callerOf(actor: IdentityActor): string {
  if (actor.kind === 'apiKey') return actor.apiKeyId;
  return actor.kind === 'session' ? actor.sessionId : actor.kind;
}

/** Longest pause in milliseconds before a waiting request looks by itself; signals usually come first. Tests change it. */
export const waitingTimes = { lookAgainAfter: 5_000 };

/**
 * First and longest pause in milliseconds before looking again at events that are there, but can't be read yet because an older
 * transaction is open.
 */
const [firstPause, longestPause] = [10, 500];

const dayMs = 86_400_000;

/**
 * Events that are too old to begin with can be read on from an earlier place for another day, and are removed after that. So the
 * cursor of the oldest page can be used, and no event after a usable cursor is missing.
 */
export const daysToGoOn = 1;

/** Where a reader is: behind the event with this position and number. */
export interface Place {
  position: string;
  seq: string;
  /** When the reader got there; whether later events may have been removed since follows from it. */
  at: number;
}

const fingerprintLength = 8;

function fingerprint(identityId: string): string {
  return createHash('sha256').update(`events ${identityId}`).digest('base64url').slice(0, fingerprintLength);
}

export function cursorOf(identityId: string, { position, seq, at }: Place): string {
  return Buffer.from([fingerprint(identityId), position, seq, at.toString(36)].join(' ')).toString('base64url');
}

function invalidCursor(message: string): AppError {
  return new AppError('invalid_cursor', message, { details: { fields: { after: 'is not a cursor that can be used' } } });
}

const number = /^\d{1,18}$/;
const time = /^[0-9a-z]{1,9}$/;

/** @throws AppError invalid_cursor for one of another identity, one that is too old, and anything else */
export function placeOf(identityId: string, cursor: string): Place {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [owner, position = '', seq = '', at = '', ...rest] = text.split(' ');
  const isCursor = rest.length === 0 && number.test(position) && number.test(seq) && time.test(at);
  if (!isCursor || owner !== fingerprint(identityId)) {
    throw invalidCursor('Use `nextCursor` of an answer as it is, or leave `after` out to begin with the oldest event.');
  }
  const place = { position, seq, at: Number.parseInt(at, 36) };
  if (place.at < Date.now() - (env().EVENT_RETENTION_DAYS + daysToGoOn) * dayMs) {
    throw invalidCursor(
      `Events are kept for ${env().EVENT_RETENTION_DAYS} days, and some after this cursor are gone. Leave \`after\` out to begin with the oldest event.`,
    );
  }
  return place;
}

export interface EventRow {
  position: string;
  seq: string;
  id: string;
  type: string;
  object_type: string;
  object_id: string;
  object_version: number;
  data: EventRecord['data'];
  actor_type: EventActor['type'];
  actor_id: string | null;
  actor_name: string | null;
  request_id: string | null;
  created_at: string;
}

export const columns = `position::text, seq::text, id, type, object_type, object_id, object_version, data, actor_type, actor_id, actor_name, request_id,
  created_at`;

/** With the table's name: without it, these are the columns that are selected, as text. */
const order = 'ORDER BY event_log.position, event_log.seq';

export function toEvent(row: EventRow): EventRecord {
  return {
    id: row.id,
    type: row.type,
    createdAt: row.created_at,
    object: { type: row.object_type, id: row.object_id, version: row.object_version },
    data: row.data,
    actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
    requestId: row.request_id,
  };
}

/** The position below which all transactions are over, so that nothing can appear there any more. */
const horizon = `(SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint + "offset" FROM event_clock)`;

/** The end of the log, as far as it can be read. */
export async function endOfLog(): Promise<Place> {
  const [row] = await rows<{ position: string }>(pool(), {
    name: 'event-log-end',
    text: `SELECT (${horizon} - 1)::text AS position`,
    values: [],
  });
  if (!row) throw new Error('the clock of events has no row');
  return { position: row.position, seq: '9'.repeat(18), at: Date.now() };
}

interface Page {
  events: EventRow[];
  /** The position of the last event examined; null without one. */
  end: (Pick<Place, 'position' | 'seq'> & { at: string }) | null;
  hasMore: boolean;
}

/** Conditions on types: exact ones, and patterns as LIKE understands them. */
export function typeConditions(patterns: readonly string[]): { exact: string[]; like: string[] } {
  const like = patterns
    .filter((pattern) => pattern.endsWith('*'))
    .map((pattern) => pattern.replaceAll('_', '\\_').replace('*', '%'));
  return { exact: patterns.filter((pattern) => !pattern.endsWith('*')), like };
}

async function readAll(identityId: string, { position, seq }: Place, limit: number): Promise<Page> {
  const found = await rows<EventRow>(pool(), {
    name: 'event-log-page',
    isoTimes: true,
    text: `SELECT ${columns} FROM event_log
      WHERE identity_id = $1 AND (position, seq) > ($2::bigint, $3::bigint) AND position < ${horizon}
      ${order} LIMIT $4`,
    values: [identityId, position, seq, limit + 1],
  });
  const events = found.slice(0, limit);
  const last = events.at(-1);
  return { events, end: last ? { ...last, at: last.created_at } : null, hasMore: found.length > limit };
}

/** Looks for types among a bounded number of events, so that a rare one does not take a long statement. */
async function readTypes(
  identityId: string,
  { position, seq }: Place,
  limit: number,
  patterns: readonly string[],
): Promise<Page> {
  const { exact, like } = typeConditions(patterns);
  const scanned = await rows<{ position: string; seq: string; at: string; is_wanted: boolean; scanned: number }>(pool(), {
    name: 'event-log-scan',
    isoTimes: true,
    text: `WITH scanned AS (
        SELECT position, seq, created_at, type = ANY ($4::text[]) OR type LIKE ANY ($5::text[]) AS is_wanted FROM event_log
        WHERE identity_id = $1 AND (position, seq) > ($2::bigint, $3::bigint) AND position < ${horizon}
        ORDER BY position, seq LIMIT $6
      ), found AS (
        (SELECT * FROM scanned WHERE is_wanted ORDER BY position, seq LIMIT $7)
        UNION ALL (SELECT position, seq, created_at, false FROM scanned ORDER BY position DESC, seq DESC LIMIT 1)
      )
      SELECT f.position::text, f.seq::text, f.created_at AS at, f.is_wanted, (SELECT count(*)::int FROM scanned) AS scanned FROM found f
      ORDER BY f.is_wanted DESC, f.position, f.seq`,
    values: [identityId, position, seq, exact, like, scannedMaximum, limit + 1],
  });
  const wanted = scanned.filter(({ is_wanted }) => is_wanted);
  const taken = wanted.slice(0, limit);
  const events = taken.length === 0 ? [] : await readByKey(identityId, taken);
  if (wanted.length > limit) return { events, end: taken.at(-1) ?? null, hasMore: true };
  const last = scanned.at(-1);
  return { events, end: last ?? null, hasMore: last?.scanned === scannedMaximum };
}

export function readByKey(identityId: string, keys: readonly Pick<Place, 'position' | 'seq'>[]): Promise<EventRow[]> {
  return rows<EventRow>(pool(), {
    name: 'event-log-by-key',
    isoTimes: true,
    text: `SELECT ${columns} FROM event_log
      WHERE identity_id = $1 AND (position, seq) IN (SELECT * FROM unnest($2::bigint[], $3::bigint[])) ${order}`,
    values: [identityId, keys.map(({ position }) => position), keys.map(({ seq }) => seq)],
  });
}

async function readPage(identityId: string, place: Place, { types, limit }: ReadEventsInput): Promise<Page> {
  if (!types || types.includes('*')) return readAll(identityId, place, limit);
  return readTypes(identityId, place, limit, types);
}

/** True if there are events that can't be read yet because an older transaction is open. */
async function hasUnsettled(identityId: string, { position, seq }: Place): Promise<boolean> {
  const [row] = await rows<{ found: boolean }>(pool(), {
    name: 'event-log-unsettled',
    text: `SELECT EXISTS (SELECT 1 FROM event_log WHERE identity_id = $1 AND (position, seq) > ($2::bigint, $3::bigint)) AS found`,
    values: [identityId, position, seq],
  });
  return row?.found ?? false;
}

/** The place after a page. One that has not moved is renewed once a day, so that an unchanged answer stays the same. */
function placeAfter(place: Place, { end }: Page): Place {
  if (end) return { position: end.position, seq: end.seq, at: Date.parse(end.at) };
  return place.at < Date.now() - dayMs ? { ...place, at: Date.now() } : place;
}

/** Before the oldest event that is kept; the end of the log if there is none. */
async function beginningOf(identityId: string): Promise<Place> {
  const [row] = await rows<{ position: string; seq: string }>(pool(), {
    name: 'event-log-beginning',
    text: `SELECT coalesce(oldest.position, now.position - 1)::text AS position, coalesce(oldest.seq - 1, 0)::text AS seq
      FROM (SELECT ${horizon} AS position) now LEFT JOIN LATERAL (
        SELECT position, seq FROM event_log
        WHERE identity_id = $1 AND position < now.position AND created_at >= now() - make_interval(days => $2)
        ${order} LIMIT 1
      ) oldest ON true`,
    values: [identityId, env().EVENT_RETENTION_DAYS],
  });
  if (!row) throw new Error('the clock of events has no row');
  return { ...row, at: Date.now() };
}

async function startOf(identityId: string, after: string | undefined): Promise<Place> {
  if (after === undefined) return beginningOf(identityId);
  return after === 'now' ? endOfLog() : placeOf(identityId, after);
}

/** Who waits for events. */
export interface Follower {
  /** Aborted when the client has disconnected. */
  readonly gone?: AbortSignal | undefined;
  /** Requires that the client may still read, before it gets what came while it waited. */
  readmit?: (() => Promise<void>) | undefined;
}

/**
 * `GET /event-log`: events of the identity, oldest first. No committed event is ever skipped, whatever runs at the same time.
 * With `wait`, an empty answer is held until an event comes; no database connection is held while waiting.
 * @throws AppError invalid_cursor for an expired or foreign cursor, rate_limit_exceeded if too many requests wait, what `readmit` throws
 */
export async function readEvents(actor: IdentityActor, input: ReadEventsInput, follower: Follower = {}): Promise<EventPage> {
  const { identityId } = actor;
  const { gone, readmit } = follower;
  let place = await startOf(identityId, input.after);
  const answer = (page: Page): EventPage => ({
    events: page.events.map(toEvent),
    nextCursor: cursorOf(identityId, placeAfter(place, page)),
    hasMore: page.hasMore,
  });
  if (input.wait === 0) return answer(await readPage(identityId, place, input));
  const caller = callerOf(actor);
  refuseToWait(actor, caller);
  // Before the first look, so that no signal is missed.
  const waiting = waitForEvents(identityId, { caller, gone });
  const until = performance.now() + input.wait * 1000;
  let pause = firstPause;
  let hasWaited = false;
  try {
    for (;;) {
      const page = await readPage(identityId, place, input);
      const remaining = until - performance.now();
      if (page.events.length > 0 || page.hasMore || remaining <= 0 || isStopping() || gone?.aborted) {
        if (hasWaited) await readmit?.();
        return answer(page);
      }
      hasWaited = true;
      // Events of other types need not be looked at again.
      if (page.end) place = placeAfter(place, page);
      if (await hasUnsettled(identityId, place)) {
        await waiting.next(Math.min(remaining, pause));
        pause = Math.min(pause * 2, longestPause);
      } else {
        pause = firstPause;
        await waiting.next(Math.min(remaining, waitingTimes.lookAgainAfter));
      }
    }
  } finally {
    waiting.end();
  }
}

/** One event by its place in the log; null if it is no longer kept. */
export async function findEvent(identityId: string, place: { position: string; seq: string }): Promise<EventRecord | null> {
  const [row] = await readByKey(identityId, [place]);
  return row ? toEvent(row) : null;
}

interface ChangedObject {
  type: string;
  id: string;
  /** When the change was made, to the millisecond: the time of its transaction. */
  at: string;
}

/** What one transaction has changed of an object: its events in their order; none if they are no longer kept. */
export async function findChanges(identityId: string, { type, id, at }: ChangedObject): Promise<EventRecord[]> {
  const found = await rows<EventRow>(pool(), {
    name: 'event-log-of-change',
    isoTimes: true,
    text: `SELECT ${columns} FROM event_log
      WHERE identity_id = $1 AND created_at = $2 AND object_type = $3 AND object_id = $4 ${order}`,
    values: [identityId, at, type, id],
  });
  return found.map(toEvent);
}
