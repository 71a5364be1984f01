import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { v7 } from 'uuid';
import { within } from '../db/connection';
import { pool } from '../db/pool';
import { log } from '../log';
import { oncePerProcess, takeFromProcess } from '../process-globals';

/**
 * The security log (docs/adr/0016): what was refused, to whom and why. Each event is a log line (for throttling, only the first
 * of a minute) and is counted in the table that the dashboard shows: one row per minute and cause, with a bounded number of
 * rows per minute, so that a flood costs little time and space. Writing is asynchronous; after a crash, events of the last two
 * seconds exist only as log lines.
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
  /** The reason as a code: `wrong_password`, `expired_key`. */
  reason: string;
  /** The account, if one of that name exists. */
  userId?: string | null;
  /** The identity concerned. */
  identityId?: string | null;
  /** The e-mail address that was entered. */
  account?: string | null;
  /** The client's address. */
  address: string;
  /** What was attempted: the beginning of a key, an operation. Never a secret. */
  subject?: string | null;
  requestId?: string | null;
}

type Cause = Required<Omit<SecurityEvent, 'requestId'>>;

interface CountedEvent extends Cause {
  /** SHA-256 of the cause, in hexadecimal. */
  cause: string;
  requestId: string | null;
  /** Times in Unix milliseconds; `minute` is the start of the minute of all counted events. */
  minute: number;
  firstAt: number;
  lastAt: number;
  count: number;
}

interface State {
  logger: Logger;
  /** Rows to write, by minute and cause. */
  entries: Map<string, CountedEvent>;
  minute: number;
  /** The causes seen in this minute, and the kinds with their accounts. */
  causes: Set<string>;
  accounts: Set<string>;
  timer: NodeJS.Timeout | undefined;
  /** Ends with the writing under way. */
  writing: Promise<void>;
  /** Ends with the writing after that, if one is wanted. */
  next: Promise<void> | undefined;
}

/** Milliseconds between an event and its database row. */
const delay = 2_000;
/** Rows per minute with all details; beyond this, rows without the address; beyond that, only kind and reason. */
const detailedMaximum = 100;
const namedMaximum = 200;
/** Rows per minute for the first event of a kind about an account that exists: a flood about others must not hide it. */
const accountsMaximum = 500;
/** Maximum rows held while the database is unavailable. */
const waitingMaximum = 1_000;
/** Reasons that repeat until the caller stops: logged once per minute and cause; the row counts all of them. */
const throttlingReasons: ReadonlySet<string> = new Set([
  'too_many_attempts',
  'too_many_codes',
  'too_many_connections',
  'rate_limit_exceeded',
  'quota_exceeded',
  'sender_quota_exceeded',
  'too_many_sign_ins',
]);
const lengths = { reason: 100, account: 254, address: 100, subject: 200, requestId: 128 };

function state(): State {
  return oncePerProcess('security-log', () => ({
    logger: log().child({ stream: 'security' }),
    entries: new Map(),
    minute: 0,
    causes: new Set(),
    accounts: new Set(),
    timer: undefined,
    writing: Promise.resolve(),
    next: undefined,
  }));
}

/** Truncates a text, and drops characters the database could not store. */
const truncate = (text: string, length: number) => text.slice(0, length).replace(/[\p{Cc}\p{Cs}]/gu, '');

const looksLikeEmail = /^[^\s@]{1,64}@[^\s@]{1,189}$/;

function causeOf({ kind, reason, userId = null, identityId = null, account, address, subject }: SecurityEvent): Cause {
  return {
    kind,
    reason: truncate(reason, lengths.reason),
    userId,
    identityId,
    // People sometimes type a password into the e-mail field.
    account: account && looksLikeEmail.test(account) ? truncate(account, lengths.account) : null,
    address: truncate(address, lengths.address),
    subject: subject ? truncate(subject, lengths.subject) : null,
  };
}

const digestOf = (cause: Cause) =>
  createHash('sha256')
    .update(JSON.stringify(Object.values(cause)))
    .digest('hex');

function isFirstOfAccount(accounts: Set<string>, { kind, userId }: Cause): boolean {
  const key = `${kind} ${userId}`;
  return userId !== null && accounts.size < accountsMaximum && !accounts.has(key);
}

/** The cause in as much detail as this minute's row limits allow. */
function recordedCause({ causes, accounts }: Pick<State, 'causes' | 'accounts'>, cause: Cause): Cause {
  if (causes.has(digestOf(cause)) || causes.size < detailedMaximum || isFirstOfAccount(accounts, cause)) return cause;
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

/** Notes a refusal. Takes microseconds and never fails. */
export function noteSecurityEvent(event: SecurityEvent): void {
  const current = state();
  const cause = causeOf(event);
  const requestId = event.requestId ? truncate(event.requestId, lengths.requestId) : null;
  const now = Date.now();
  const minute = now - (now % 60_000);
  if (current.minute !== minute) {
    current.minute = minute;
    current.causes = new Set();
    current.accounts = new Set();
  }
  const recorded = recordedCause(current, cause);
  if (cause.userId !== null && current.accounts.size < accountsMaximum) current.accounts.add(`${cause.kind} ${cause.userId}`);
  const digest = digestOf(recorded);
  if (!throttlingReasons.has(cause.reason) || !current.causes.has(digest))
    current.logger.warn({ ...cause, requestId }, 'refused');
  current.causes.add(digest);
  count(current.entries, { ...recorded, cause: digest, requestId, minute, firstAt: now, lastAt: now, count: 1 });
  current.timer ??= setTimeout(() => void flushSecurityLog(), delay).unref();
}

/**
 * Writes the counted events, and ends when all that were noted before are written. While the database is unavailable, they are
 * kept up to the limit.
 */
export function flushSecurityLog(): Promise<void> {
  const current = state();
  clearTimeout(current.timer);
  current.timer = undefined;
  // One after another, and never more than one that waits: each may hang until the database is given up.
  current.next ??= current.writing.then(() => {
    current.next = undefined;
    current.writing = writeEntries(current);
    return current.writing;
  });
  return current.next;
}

async function writeEntries(current: State): Promise<void> {
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
    // The same order on all servers prevents deadlocks.
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

/** Milliseconds for writing the remaining events. */
const closeLimit = 10_000;

/** Writes the remaining events when the process ends. */
export async function closeSecurityLog(): Promise<void> {
  await within(closeLimit, flushSecurityLog());
  clearTimeout(takeFromProcess<State>('security-log')?.timer);
}
