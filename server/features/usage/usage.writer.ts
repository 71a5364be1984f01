import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { withRetry } from '@/server/platform/db/transaction';
import { toAppError } from '@/server/platform/errors';
import { oncePerProcess } from '@/server/platform/process-globals';
import { recordUsage, type SerializedRecord } from './usage.statement';
import { noteUsage } from './usage.thresholds';

/** The stored result of a record. */
export interface Written {
  id: string;
  createdAt: Date;
}

/** Records of one request, which are written in one statement and in order. */
interface Waiting {
  records: readonly SerializedRecord[];
  resolve(written: Written[]): void;
  reject(error: unknown): void;
}

/** Pending records of one identity. */
interface Queue {
  waiting: Waiting[];
  /** Running statements, and those of them that have not taken long yet. */
  writing: number;
  fresh: number;
}

/** One statement may wait for another server that writes the same event: from so many milliseconds on, others run beside it. */
const longFrom = 20;
const concurrentStatements = 3;
/** A statement takes further requests until it has this many records. */
const recordsPerStatement = 200;
const charactersPerStatement = 4_000_000;

function queues(): Map<string, Queue> {
  return oncePerProcess('usage-queues', () => new Map<string, Queue>());
}

/**
 * Writes the records of one request; durable when it resolves. Requests of one identity that arrive while others are being
 * written are batched into the next statement, like a database's group commit: under load a record costs a fraction of a
 * statement, and without load it does not wait. So there is one statement at a time, unless it takes long.
 *
 * A statement belongs to several requests, so it runs in no transaction of one of them: what a transaction settles for its
 * actor's request (its Idempotency-Key, its precondition) would be settled for the others' records.
 *
 * @returns the stored result of each record, in order
 */
export function writeRecords(identityId: string, records: readonly SerializedRecord[]): Promise<Written[]> {
  if (records.length === 0) return Promise.resolve([]);
  const queue = queues().get(identityId) ?? { waiting: [], writing: 0, fresh: 0 };
  queues().set(identityId, queue);
  return new Promise((resolve, reject) => {
    queue.waiting.push({ records, resolve, reject });
    work(identityId, queue);
  });
}

/** Starts a statement if records wait, and no other one is in its way. */
function work(identityId: string, queue: Queue): void {
  if (queue.waiting.length === 0 || queue.fresh > 0 || queue.writing === concurrentStatements) return;
  queue.writing++;
  queue.fresh++;
  let isFresh = true;
  const age = () => {
    if (isFresh) queue.fresh--;
    isFresh = false;
  };
  const timer = setTimeout(() => {
    age();
    work(identityId, queue);
  }, longFrom);
  void settle(identityId, takeFrom(queue)).finally(() => {
    clearTimeout(timer);
    age();
    queue.writing--;
    if (queue.writing === 0 && queue.waiting.length === 0) queues().delete(identityId);
    else work(identityId, queue);
  });
}

function takeFrom(queue: Queue): Waiting[] {
  let [count, characters, taken] = [0, 0, 0];
  for (const { records } of queue.waiting) {
    if (count >= recordsPerStatement || characters >= charactersPerStatement) break;
    taken++;
    count += records.length;
    for (const { json } of records) characters += json.length;
  }
  return queue.waiting.splice(0, taken);
}

/** Writes these together and settles each request; never throws. */
async function settle(identityId: string, together: Waiting[]): Promise<void> {
  try {
    const written = await write(
      identityId,
      together.flatMap(({ records }) => records),
    );
    for (const { records, resolve } of together) resolve(records.map(written));
  } catch (error) {
    // After a lost connection it is unknown whether the statement was executed; otherwise it was refused because of one of
    // these.
    const isLost = toAppError(error).code === 'unavailable';
    if (together.length === 1 || isLost) for (const { reject } of together) reject(error);
    else for (const one of together) await settle(identityId, [one]);
  }
}

async function write(identityId: string, records: SerializedRecord[]): Promise<(record: SerializedRecord) => Written> {
  const inserted = await withRetry(() => rows<Written>(pool(), recordUsage(identityId, records)));
  const byId = new Map(inserted.map((written) => [written.id, written]));
  const [first] = inserted;
  if (first) {
    const counted = records.filter(({ id }) => byId.has(id));
    const tokens = counted.reduce((sum, record) => sum + record.tokens, 0);
    const executions = counted.filter(({ isExecution }) => isExecution).length;
    await noteUsage(identityId, { tokens, executions }, first.createdAt);
  }
  const repeated = records.flatMap(({ id, eventId }) => (byId.has(id) || eventId === undefined ? [] : [eventId]));
  const byEvent = repeated.length === 0 ? new Map<string, Written>() : await findEvents(identityId, repeated);
  return ({ id, eventId = '' }) => {
    const written = byId.get(id) ?? byEvent.get(eventId);
    if (!written) throw new Error('a usage record is neither new nor known');
    return written;
  };
}

/** The records that were first written with these event ids. */
async function findEvents(identityId: string, eventIds: string[]): Promise<Map<string, Written>> {
  const found = await rows<Written & { eventId: string }>(pool(), {
    name: 'usage-events',
    text: 'SELECT event_id AS "eventId", record_id AS id, created_at AS "createdAt" FROM usage_events WHERE identity_id = $1 AND event_id = ANY($2)',
    values: [identityId, eventIds],
  });
  return new Map(found.map(({ eventId, ...written }) => [eventId, written]));
}
