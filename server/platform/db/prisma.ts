import { PrismaPg } from '@prisma/adapter-pg';
import { oncePerProcess, takeFromProcess } from '../process-globals';
import { Prisma, PrismaClient } from './generated/client';
import { pool } from './pool';

/** Transactions wait for a connection as long as other statements do (see pool.ts); Prisma's default is shorter. */
const transactionOptions = { maxWait: 5_000, timeout: 10_000 };

/** The process-wide Prisma client, on the same connection pool as hand-written SQL. */
export function prisma(): PrismaClient {
  return oncePerProcess('prisma', () => new PrismaClient({ adapter: new PrismaPg(pool()), transactionOptions }));
}

export async function closePrisma(): Promise<void> {
  await takeFromProcess<PrismaClient>('prisma')?.$disconnect();
}

/** True if `error` is Prisma's unique violation of an index that includes `field`. */
export function isUniqueViolation(error: unknown, field?: string): boolean {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== 'P2002') return false;
  return field === undefined || JSON.stringify(error.meta ?? {}).includes(field);
}
