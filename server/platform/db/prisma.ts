import { PrismaPg } from '@prisma/adapter-pg';
import type { Author } from '../actor';
import { oncePerProcess, takeFromProcess } from '../process-registry';
import { authorSetting } from './authorship';
import { Prisma, PrismaClient } from './generated/client';
import { type StatementRunner, settleIdempotency } from './idempotency-record';
import { pool } from './pool';
import { inTransactionPlace } from './transaction-places';

/** Under load a transaction waits for its connection as long as any statement does (see pool.ts); Prisma's own patience ends sooner. */
const transactionOptions = { maxWait: 5_000, timeout: 10_000 };

/** The process' Prisma client, on the same connections as the hand-written statements. */
export function prisma(): PrismaClient {
  return oncePerProcess('prisma', () => new PrismaClient({ adapter: new PrismaPg(pool()), transactionOptions }));
}

/** Prisma's view of an open transaction. */
export type PrismaTransaction = Prisma.TransactionClient;

/**
 * Runs `work` in one of Prisma's transactions. Whatever writes to a table of the audit log does it in here, or in `transaction` of sql.ts.
 *
 * @param author who answers for the changes
 */
export function prismaTransaction<T>(author: Author, work: (tx: PrismaTransaction) => Promise<T>): Promise<T> {
  return inTransactionPlace(author, () => prisma().$transaction((tx) => authored(tx, author, work)));
}

async function authored<T>(tx: PrismaTransaction, author: Author, work: (tx: PrismaTransaction) => Promise<T>): Promise<T> {
  await tx.$queryRaw`SELECT set_config('frontdesk.author', ${authorSetting(author)}, true)`;
  const { request } = author;
  if (request?.idempotency) await settleIdempotency(rawStatements(tx), request.idempotency.recordId);
  const result = await work(tx);
  await request?.precondition?.();
  return result;
}

/** Hand-written statements inside one of Prisma's transactions. */
export function rawStatements(tx: PrismaTransaction): StatementRunner {
  return { query: async ({ text, values }) => ({ rowCount: await tx.$executeRawUnsafe(text, ...values) }) };
}

export async function closePrisma(): Promise<void> {
  await takeFromProcess<PrismaClient>('prisma')?.$disconnect();
}

/** True where `error` is Prisma's report of a violated unique index over (at least) `field`. */
export function isUniqueViolation(error: unknown, field?: string): boolean {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== 'P2002') return false;
  return field === undefined || JSON.stringify(error.meta ?? {}).includes(field);
}
