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

/** Prisma's view of an open transaction. */
export type PrismaTransaction = Prisma.TransactionClient;

/** Runs a statement inside an open transaction, whichever client opened it. */
export interface StatementRunner {
  query(statement: { name?: string; text: string; values: unknown[] }): Promise<{ rowCount: number | null }>;
}

/**
 * Runs `work` in one transaction: all of it or nothing. Repeats it after a deadlock or a serialization failure, so `work` has
 * no effects outside the database. Every write to a table of the audit log happens in here or in `prismaTransaction`.
 *
 * @param author who makes the changes
 * @param auditedAs whom the audit log names instead, where their owner may not learn who it was
 * @throws QueueFull where no connection was free in time
 */
export function transaction<T>(
  author: Author,
  work: (client: pg.PoolClient) => Promise<T>,
  { auditedAs = author }: { auditedAs?: Author } = {},
): Promise<T> {
  return withRetry(() => inSlot(author, () => withClient(auditedAs, (client) => framed(author, client, () => work(client)))));
}

/** `transaction` for work that uses Prisma Client. */
export function prismaTransaction<T>(author: Author, work: (tx: PrismaTransaction) => Promise<T>): Promise<T> {
  const run = async (tx: PrismaTransaction) => {
    await tx.$queryRaw`SELECT set_config('frontdesk.author', ${authorSetting(author)}, true)`;
    return framed(author, rawStatements(tx), () => work(tx));
  };
  return withRetry(() => inSlot(author, () => prisma().$transaction(run)));
}

/** Hand-written statements inside one of Prisma's transactions. */
export function rawStatements(tx: PrismaTransaction): StatementRunner {
  return { query: async ({ text, values }) => ({ rowCount: await tx.$executeRawUnsafe(text, ...values) }) };
}

/** What a request adds to the transaction of its change: its Idempotency-Key is settled before, its condition asked after the work. */
async function framed<T>(author: Author, statements: StatementRunner, work: () => Promise<T>): Promise<T> {
  const request = requestOf(author);
  if (request?.idempotency) await settleIdempotency(statements, request.idempotency.recordId);
  const result = await work();
  await request?.precondition?.();
  return result;
}

/**
 * Marks a request with an Idempotency-Key as carried out, in the transaction that does so: once the change is committed, no repetition
 * carries it out again (docs/adr/0012).
 *
 * @throws AppError idempotency_running where another process has taken the request over
 */
async function settleIdempotency(statements: StatementRunner, recordId: string): Promise<void> {
  const settled = await statements.query({
    name: 'idempotent-request-settle',
    text: 'UPDATE idempotent_requests SET is_applied = true WHERE id = $1::uuid',
    values: [recordId],
  });
  if (settled.rowCount === 0) throw new AppError('idempotency_running', 'This very request is being carried out already.');
}

async function withClient<T>(author: Author, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool().connect();
  let broken: Error | undefined;
  try {
    // One text, so that both travel together.
    await client.query(`BEGIN; SET LOCAL frontdesk.author = ${pg.escapeLiteral(authorSetting(author))}`);
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

/** The setting `frontdesk.author`, from which the triggers of the audit log learn who makes the changes (docs/adr/0011). */
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

/** Connections that transactions leave to single statements; the job workers listen on two of them. */
const leftToOthers = 4;

function slots(): Semaphore {
  return oncePerProcess('transaction-slots', () => {
    const permits = Math.max(1, (pool().options.max ?? 10) - leftToOthers);
    // One identity that waits for a locked row must not take all slots.
    const permitsPerOwner = Math.max(1, permits - 1);
    return new Semaphore({ permits, permitsPerOwner, queued: 10_000, maxWait: 5_000 });
  });
}

/**
 * Runs a transaction when it may have a connection. Transactions never take all connections: one that holds rows may wait for a read on
 * another connection (see precondition.ts), and that one must not be taken by a transaction that waits for those rows.
 */
function inSlot<T>(author: Author, work: () => Promise<T>): Promise<T> {
  const owner = ('identityId' in author && author.identityId) || '';
  return slots().run({ owner }, work);
}

/** Deadlocks and serialization failures: PostgreSQL's codes, and Prisma's for both. */
const retryable = new Set(['40001', '40P01', 'P2034']);
const attempts = 5;

/** Milliseconds; those who collided do not meet again at the same moment. */
const pause = 20;

/** Thrown by work that lost a race against another transaction and succeeds when it is repeated. */
export class ConcurrentChange extends Error {
  override name = 'ConcurrentChange';
  readonly code = '40001';
}

/** Repeats `work`, a few times, after a deadlock, a serialization failure or a ConcurrentChange. */
export async function withRetry<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === attempts || !errorCodes(error).some((code) => retryable.has(code))) throw error;
    }
    await setTimeout(Math.random() * pause * attempt);
  }
}
