import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { Author } from '../actor';
import { AppError, errorCodes } from '../errors';
import { oncePerProcess } from '../process-globals';
import { requestOf } from '../request-scope';
import { Semaphore } from '../semaphore';
import type { Prisma } from './generated/client';
import { pool } from './pool';
import { prisma } from './prisma';
import { limitStatements, patience } from './time-limits';

/** Prisma's client inside an open transaction. */
export type PrismaTransaction = Prisma.TransactionClient;

/** Runs a statement inside an open transaction of either client. */
export interface StatementRunner {
  query(statement: { name?: string; text: string; values: unknown[] }): Promise<{ rowCount: number | null }>;
}

/**
 * Runs `work` in one transaction. Retries after a deadlock, a serialization failure or a wait for a lock, so `work` must have no
 * effects outside the database. Every write to an audited table goes through this or `prismaTransaction`.
 * @param author who makes the changes; what the system does has the time limits of a job
 * @param auditedAs the author shown in the audit log, if the owner may not learn the real one
 * @throws QueueFull if no connection was free in time
 */
export function transaction<T>(
  author: Author,
  work: (client: pg.PoolClient) => Promise<T>,
  { auditedAs = author }: { auditedAs?: Author } = {},
): Promise<T> {
  const kind = kindOf(author);
  return withRetry(
    () => inSlot(author, () => withClient(auditedAs, kind, (client) => inRequestContext(author, client, () => work(client)))),
    patience[kind],
  );
}

/** `transaction` for work that uses Prisma Client. */
export function prismaTransaction<T>(author: Author, work: (tx: PrismaTransaction) => Promise<T>): Promise<T> {
  const run = async (tx: PrismaTransaction) => {
    await tx.$queryRaw`SELECT set_config('frontdesk.author', ${authorSetting(author)}, true)`;
    return inRequestContext(author, rawStatements(tx), () => work(tx));
  };
  return withRetry(() => inSlot(author, () => prisma().$transaction(run)), patience[kindOf(author)]);
}

/** Hand-written statements inside a Prisma transaction. */
export function rawStatements(tx: PrismaTransaction): StatementRunner {
  return { query: async ({ text, values }) => ({ rowCount: await tx.$executeRawUnsafe(text, ...values) }) };
}

/**
 * Adds what a request needs to its transaction: settles its Idempotency-Key before the work, and checks its precondition after
 * it.
 */
async function inRequestContext<T>(author: Author, statements: StatementRunner, work: () => Promise<T>): Promise<T> {
  const request = requestOf(author);
  if (request?.idempotency) await settleIdempotency(statements, request.idempotency.recordId);
  const result = await work();
  await request?.precondition?.();
  return result;
}

/**
 * Marks a request with an Idempotency-Key as carried out, in the same transaction as its change, so that a repeated request is
 * not carried out again (docs/adr/0012).
 * @throws AppError idempotency_running if another process has taken over the request
 */
async function settleIdempotency(statements: StatementRunner, recordId: string): Promise<void> {
  const settled = await statements.query({
    name: 'idempotent-request-settle',
    text: 'UPDATE idempotent_requests SET is_applied = true WHERE id = $1::uuid',
    values: [recordId],
  });
  if (settled.rowCount === 0) throw new AppError('idempotency_running', 'This very request is being carried out already.');
}

function kindOf(author: Author): 'request' | 'job' {
  return author.kind === 'system' ? 'job' : 'request';
}

async function withClient<T>(author: Author, kind: 'request' | 'job', work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool().connect();
  let broken: Error | undefined;
  try {
    // One query, to save a round trip.
    const limits = kind === 'request' ? '' : `; ${limitStatements(kind, 'LOCAL')}`;
    await client.query(`BEGIN; SET LOCAL frontdesk.author = ${pg.escapeLiteral(authorSetting(author))}${limits}`);
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/** The setting `frontdesk.author`, from which the audit log's triggers read the author (docs/adr/0011). */
function authorSetting(author: Author): string {
  const { requestId, clientRequestId } = requestOf(author) ?? {};
  const ids = { requestId, clientRequestId };
  switch (author.kind) {
    case 'apiKey':
      return JSON.stringify({ kind: 'key', id: author.apiKeyId, ...ids });
    case 'session':
      return JSON.stringify({ kind: 'owner', id: author.userId, ...ids });
    case 'system':
      return JSON.stringify({ kind: 'system', cause: author.cause ?? 'operator', ...ids });
  }
}

/** Connections reserved for single statements; the job workers listen on two of them. */
const reservedConnections = 4;

function slots(): Semaphore {
  return oncePerProcess('transaction-slots', () => {
    const permits = Math.max(1, (pool().options.max ?? 10) - reservedConnections);
    // One identity that waits for a locked row leaves the other half of the slots.
    const permitsPerOwner = Math.max(1, Math.floor(permits / 2));
    return new Semaphore({ permits, permitsPerOwner, queued: 10_000, maxWait: 5_000 });
  });
}

/**
 * Runs a transaction when a connection slot is free. Transactions never take all connections: one that holds rows may need a
 * read on another connection (see precondition.ts), which must not be blocked by transactions waiting for those rows.
 */
function inSlot<T>(author: Author, work: () => Promise<T>): Promise<T> {
  const owner = ('identityId' in author && author.identityId) || '';
  return slots().run({ owner }, work);
}

/** Deadlocks and serialization failures: PostgreSQL's codes, and Prisma's code for both. */
const retryable = new Set(['40001', '40P01', 'P2034']);
const attempts = 5;

/** In milliseconds; randomised, so that colliding transactions do not retry at the same moment. */
const pause = 20;

/** Thrown by work that lost a race against another transaction and will succeed if repeated. */
export class ConcurrentChange extends Error {
  override name = 'ConcurrentChange';
  readonly code = '40001';
}

/** lock_not_available: another transaction held a row for longer than `timeLimits` lets one wait. */
const lockedCode = '55P03';

/**
 * Retries `work` a few times after a deadlock, a serialization failure or a ConcurrentChange; and after waiting for a lock until
 * `lockPatience` milliseconds have passed.
 */
export async function withRetry<T>(work: () => Promise<T>, lockPatience = 0): Promise<T> {
  const startedAt = performance.now();
  for (let attempt = 1; ; ) {
    try {
      return await work();
    } catch (error) {
      const codes = errorCodes(error);
      if (!codes.includes(lockedCode)) {
        if (attempt === attempts || !codes.some((code) => retryable.has(code))) throw error;
        attempt++;
      } else if (performance.now() - startedAt > lockPatience) throw error;
    }
    await setTimeout(Math.random() * pause * attempt);
  }
}
