import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { v7 } from 'uuid';
import { pool } from '../db/pool';
import { log } from '../log';
import { oncePerProcess, takeFromProcess } from '../process-globals';

/**
 * The security log (docs/adr/0016): what was refused, to whom and why. Each event is a line of its own stream in the process' log (of
 * throttling, the first one of a minute), and is counted in the table that the dashboard shows: one row a minute and cause, and a bounded number of rows a minute, so that a flood
 * takes neither time nor room. No one waits for it; of the last two seconds before a crash only the lines remain.
 */

/** What was refused. */
export type SecurityEventKind =
  | 'sign_in_failed'
  | 'sign_in_throttled'
  | 'confirmation_failed'
  | 'confirmation_throttled'
  | 'key_refused'
  | 'scope_refused'
  | 'origin_refused'
  | 'rate_limited'
  | 'inbound_refused';

export interface SecurityEvent {
  kind: SecurityEventKind;
  /** Why, as a code: `wrong_password`, `expired_key`. */
  reason: string;
  /** The account it is about, where there is one of that name. */
  userId?: string | null;
  /** The identity it is about. */
  identityId?: string | null;
  /** The e-mail that was given. */
  account?: string | null;
  /** Where it came from. */
  address: string;
  /** What was tried: the beginning of a key, an operation. Never a secret. */
  subject?: string | null;
  requestId?: string | null;
}

type Cause = Required<Omit<SecurityEvent, 'requestId'>>;

interface CountedEvent extends Cause {
  /** SHA-256 of the cause, in hexadecimal. */
  cause: string;
  requestId: string | null;
  /** Times in Unix milliseconds; `minute` is the beginning of the one that all were noted in. */
  minute: number;
  firstAt: number;
  lastAt: number;
  count: number;
}

interface State {
  logger: Logger;
  /** What is to be written, by minute and cause. */
  entries: Map<string, CountedEvent>;
  minute: number;
  /** The causes of this minute. */
  causes: Set<string>;
  timer: NodeJS.Timeout | undefined;
}

/** Milliseconds between an event and its row. */
const delay = 2_000;
/** Rows a minute that say all there is to say; beyond them, those that leave out where from; beyond those, only what and why. */
const detailedMaximum = 100;
const namedMaximum = 200;
/** Rows that wait while the database is away. */
const waitingMaximum = 1_000;
/** Reasons that repeat until their caller stops: logged once a minute and cause; the row counts all of them. */
const throttlings: ReadonlySet<string> = new Set([
  'too_many_attempts',
  'too_many_codes',
  'too_many_connections',
  'rate_limit_exceeded',
  'quota_exceeded',
]);
const lengths = { reason: 100, account: 254, address: 100, subject: 200, requestId: 128 };

function state(): State {
  return oncePerProcess('security-log', () => ({
    logger: log().child({ stream: 'security' }),
    entries: new Map(),
    minute: 0,
    causes: new Set(),
    timer: undefined,
  }));
}

/** As much of a text as is kept, without what the database could not store. */
const cut = (text: string, length: number) => text.slice(0, length).replace(/[\p{Cc}\p{Cs}]/gu, '');

const looksLikeEmail = /^[^\s@]{1,64}@[^\s@]{1,189}$/;

function causeOf({ kind, reason, userId = null, identityId = null, account, address, subject }: SecurityEvent): Cause {
  return {
    kind,
    reason: cut(reason, lengths.reason),
    userId,
    identityId,
    // People type passwords where their address belongs.
    account: account && looksLikeEmail.test(account) ? cut(account, lengths.account) : null,
    address: cut(address, lengths.address),
    subject: subject ? cut(subject, lengths.subject) : null,
  };
}

const digestOf = (cause: Cause) =>
  createHash('sha256')
    .update(JSON.stringify(Object.values(cause)))
    .digest('hex');

/** The cause as precisely as there is room for it in this minute. */
function recordedCause(causes: Set<string>, cause: Cause): Cause {
  if (causes.has(digestOf(cause)) || causes.size < detailedMaximum) return cause;
  const named: Cause = { ...cause, account: null, address: 'various', subject: null };
  if (causes.has(digestOf(named)) || causes.size < namedMaximum) return named;
  return { ...named, userId: null, identityId: null };
}

function count(entries: Map<string, CountedEvent>, event: CountedEvent): void {
  const key = `${event.minute} ${event.cause}`;
  const known = entries.get(key);
  if (!known) {
    if (entries.size < waitingMaximum) entries.set(key, event);
    return;
  }
  known.count += event.count;
  known.firstAt = Math.min(known.firstAt, event.firstAt);
  if (event.lastAt < known.lastAt) return;
  known.lastAt = event.lastAt;
  known.requestId = event.requestId;
}

/** Notes that something was refused. Takes microseconds and never fails. */
export function noteSecurityEvent(event: SecurityEvent): void {
  const current = state();
  const cause = causeOf(event);
  const requestId = event.requestId ? cut(event.requestId, lengths.requestId) : null;
  const now = Date.now();
  const minute = now - (now % 60_000);
  if (current.minute !== minute) {
    current.minute = minute;
    current.causes = new Set();
  }
  const recorded = recordedCause(current.causes, cause);
  const digest = digestOf(recorded);
  if (!throttlings.has(cause.reason) || !current.causes.has(digest)) current.logger.warn({ ...cause, requestId }, 'refused');
  current.causes.add(digest);
  count(current.entries, { ...recorded, cause: digest, requestId, minute, firstAt: now, lastAt: now, count: 1 });
  current.timer ??= setTimeout(() => void flushSecurityLog(), delay).unref();
}

/** Writes what was counted. While the database is away it is kept, as much as there is room for. */
export async function flushSecurityLog(): Promise<void> {
  const current = state();
  clearTimeout(current.timer);
  current.timer = undefined;
  if (current.entries.size === 0) return;
  const written = current.entries;
  current.entries = new Map();
  try {
    await write([...written.values()]);
  } catch (error) {
    log().warn({ err: error }, 'the security log could not be written to the database yet');
    for (const event of written.values()) count(current.entries, event);
    current.timer ??= setTimeout(() => void flushSecurityLog(), 10 * delay).unref();
  }
}

async function write(events: CountedEvent[]): Promise<void> {
  const time = (milliseconds: number) => new Date(milliseconds).toISOString();
  const given = events
    // One order for all servers, so that two never wait for each other in a circle.
    .sort((a, b) => a.minute - b.minute || (a.cause < b.cause ? -1 : 1))
    .map((event) => ({
      ...event,
      id: v7({ msecs: event.firstAt }),
      minute: time(event.minute),
      firstAt: time(event.firstAt),
      lastAt: time(event.lastAt),
    }));
  await pool().query({
    name: 'security-events-count',
    text: `INSERT INTO security_events AS known (id, minute, cause, kind, reason, user_id, identity_id, account, address, subject, request_id,
        count, first_at, last_at)
      SELECT id, minute, decode(cause, 'hex'), kind, reason, "userId", "identityId", account, address, subject, "requestId", count, "firstAt",
        "lastAt"
      FROM jsonb_to_recordset($1) AS given(id uuid, minute timestamptz, cause text, kind text, reason text, "userId" uuid,
        "identityId" uuid, account text, address text, subject text, "requestId" text, count int, "firstAt" timestamptz,
        "lastAt" timestamptz)
      ON CONFLICT (minute, cause) DO UPDATE SET count = known.count + excluded.count, request_id = excluded.request_id,
        first_at = least(known.first_at, excluded.first_at), last_at = greatest(known.last_at, excluded.last_at)`,
    values: [JSON.stringify(given)],
  });
}

/** Writes what is left, at the end of the process. */
export async function closeSecurityLog(): Promise<void> {
  await flushSecurityLog();
  clearTimeout(takeFromProcess<State>('security-log')?.timer);
}
