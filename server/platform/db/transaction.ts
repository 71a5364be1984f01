import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { type Author, requestOf } from '../actor';
import { AppError, errorCodes } from '../errors';
import { onBehalfOf } from '../on-behalf-of';
import { holdBack } from './connection';
import type { Prisma } from './generated/client';
import { pool } from './pool';
import { prisma } from './prisma';
import type { RowReader } from './sql';
import { hasRowSecurity, limitToIdentity, tenantRole } from './tenant';
import { limitStatements, patience } from './time-limits';

/** Prisma's client inside an open transaction. */
export type PrismaTransaction = Prisma.TransactionClient;

/** Runs a statement inside an open transaction of either client. */
export interface StatementRunner {
  query(statement: { name?: string; text: string; values: unknown[] }): Promise<{ rowCount: number | null }>;
  /** What stands for the transaction in `afterCommit`, if it is not the runner itself. */
  readonly transaction?: object;
}

/** What to do once an open transaction has committed, by key. */
const commitHooks = new WeakMap<object, Map<string, () => void>>();

/**
 * Runs `hook` once the open transaction has committed, and once per `key`. It is lost if the process is killed in between, so
 * nothing may depend on it.
 */
export function afterCommit(db: StatementRunner, key: string, hook: () => void): void {
  const holder = db.transaction ?? db;
  const hooks = commitHooks.get(holder) ?? new Map<string, () => void>();
  commitHooks.set(holder, hooks.set(key, hook));
}

interface Statement {
  name?: string;
  text: string;
  values: unknown[];
}

/** What is sent with the COMMIT of an open transaction. */
const lastStatements = new WeakMap<object, Statement[]>();

/**
 * Runs a statement as one of the last of the open transaction: sent together with its COMMIT, which saves a round trip and holds what it
 * locks for less time. If it fails, nothing is committed. A transaction of Prisma Client, or one opened by hand, runs it at once.
 */
export async function runWithCommit(db: StatementRunner, statement: Statement): Promise<void> {
  const last = lastStatements.get(db);
  if (last) last.push(statement);
  else await db.query(statement);
}

/** Undoes what `work` has done in the open transaction if it fails, also what it left to the COMMIT, and nothing else. */
export async function inSavepoint<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  const last = lastStatements.get(client);
  const before = last?.length ?? 0;
  await client.query('SAVEPOINT part');
  try {
    const result = await work();
    await client.query('RELEASE SAVEPOINT part');
    return result;
  } catch (error) {
    if (last) last.length = before;
    await client.query('ROLLBACK TO SAVEPOINT part');
    throw error;
  }
}

/**
 * Sends what the client is handed from now on, until whoever does it waits for something outside, in one packet: each packet is a call
 * of the system, which costs as much as a small statement.
 */
function sendTogether(client: pg.PoolClient): void {
  process.nextTick(holdBack(client));
}

/**
 * Sends the statements that `start` hands to the client, before it waits for anything outside, in one packet.
 * @throws what the first one throws that fails; those after it fail because of it
 */
export async function inOnePacket<T extends readonly unknown[]>(
  client: pg.PoolClient,
  start: () => { [Index in keyof T]: Promise<T[Index]> },
): Promise<T> {
  sendTogether(client);
  const results = await Promise.allSettled<unknown>(start());
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  }) as unknown as T;
}

async function commit(client: pg.PoolClient): Promise<void> {
  const last = lastStatements.get(client) ?? [];
  lastStatements.delete(client);
  // After a failed statement, COMMIT is a ROLLBACK.
  await inOnePacket(client, () => [...last, 'COMMIT'].map((statement) => client.query(statement as string)));
}

/** Forgets the hooks of an attempt, and runs them if it has committed. */
function endAttempt(holder: object, hasCommitted: boolean): void {
  const hooks = commitHooks.get(holder);
  if (!hooks) return;
  commitHooks.delete(holder);
  if (hasCommitted) for (const hook of hooks.values()) hook();
}

interface TransactionOptions {
  /** The author shown in the audit log, if the owner may not learn the real one. */
  auditedAs?: Author;
  /** The work concerns an account, or several identities. Otherwise only rows of the author's identity can be seen (docs/adr/0022). */
  withoutRowSecurity?: boolean;
}

/**
 * Runs `work` in one transaction. Retries after a deadlock, a serialization failure or a wait for a lock, so `work` must have no
 * effects outside the database. Every write to an audited table goes through this or `prismaTransaction`.
 * @param author who makes the changes; what the system does has the time limits of a job
 * @throws QueueFull if no connection was free in time
 */
export function transaction<T>(
  author: Author,
  work: (client: pg.PoolClient) => Promise<T>,
  { auditedAs = author, withoutRowSecurity = false }: TransactionOptions = {},
): Promise<T> {
  const kind = kindOf(author);
  const identityId = withoutRowSecurity ? '' : identityOf(author);
  return withRetry(
    () =>
      inShareOf(author, () =>
        withClient({ author: auditedAs, kind, identityId }, (client) =>
          inRequestContext(author, client, client, () => work(client)),
        ),
      ),
    patience[kind],
  );
}

/** `transaction` for work that uses Prisma Client. */
export function prismaTransaction<T>(
  author: Author,
  work: (tx: PrismaTransaction) => Promise<T>,
  { withoutRowSecurity = false }: Pick<TransactionOptions, 'withoutRowSecurity'> = {},
): Promise<T> {
  const identityId = withoutRowSecurity || !hasRowSecurity() ? '' : identityOf(author);
  let holder: object | undefined;
  const run = async (tx: PrismaTransaction) => {
    holder = tx;
    await tx.$queryRaw`SELECT set_config('frontdesk.author', ${authorSetting(author)}, true), set_config('frontdesk.identity', ${identityId}, true),
      set_config('role', CASE WHEN ${identityId} = '' THEN current_setting('role') ELSE ${tenantRole} END, true)`;
    const reader: RowReader = { query: async ({ text, values = [] }) => ({ rows: await tx.$queryRawUnsafe(text, ...values) }) };
    return inRequestContext(author, rawStatements(tx), reader, () => work(tx));
  };
  const attempt = async () => {
    const result = await prisma().$transaction(run);
    if (holder) endAttempt(holder, true);
    return result;
  };
  return withRetry(() => inShareOf(author, attempt), patience[kindOf(author)]);
}

/** Hand-written statements inside a Prisma transaction. */
export function rawStatements(tx: PrismaTransaction): StatementRunner {
  return {
    query: async ({ text, values }) => ({ rowCount: await tx.$executeRawUnsafe(text, ...values) }),
    transaction: tx,
  };
}

/**
 * Adds what a request needs to its transaction: settles its Idempotency-Key and locks the record of its precondition before the
 * work, and checks the precondition after it.
 */
async function inRequestContext<T>(
  author: Author,
  statements: StatementRunner,
  reader: RowReader,
  work: () => Promise<T>,
): Promise<T> {
  const request = requestOf(author);
  if (request?.idempotency) await settleIdempotency(statements, request.idempotency.recordId);
  const requireMatch = await request?.precondition?.(reader);
  const result = await work();
  requireMatch?.();
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

/** The identity whose rows alone its transactions see; none for jobs and commands. */
function identityOf(author: Author): string {
  return (author.kind !== 'system' && author.identityId) || '';
}

interface TransactionSettings {
  author: Author;
  kind: 'request' | 'job';
  identityId: string;
}

async function withClient<T>(
  { author, kind, identityId }: TransactionSettings,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool().connect();
  let broken: Error | undefined;
  let hasCommitted = false;
  const limits = kind === 'request' ? '' : `; ${limitStatements(kind, 'LOCAL')}`;
  const begin = `BEGIN; SET LOCAL frontdesk.author = ${pg.escapeLiteral(authorSetting(author))}${limits}${limitToIdentity(identityId)}`;
  // Together with the first statement of the work: if it fails, so do all others.
  sendTogether(client);
  const begun = client.query(begin).then(
    () => null,
    (error: Error) => error,
  );
  try {
    lastStatements.set(client, []);
    const result = await work(client);
    const failure = await begun;
    if (failure) throw failure;
    await commit(client);
    hasCommitted = true;
    return result;
  } catch (thrown) {
    const error = (await begun) ?? thrown;
    await client.query('ROLLBACK').catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    lastStatements.delete(client);
    client.release(broken);
    endAttempt(client, hasCommitted);
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

/** Runs work with the connections of its identity, also that of jobs: what waits for one identity's rows leaves half of them to others. */
function inShareOf<T>(author: Author, work: () => Promise<T>): Promise<T> {
  return 'identityId' in author ? onBehalfOf(author, work) : work();
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
