import { PrismaPg } from '@prisma/adapter-pg';
import { oncePerProcess, takeFromProcess } from '../process-globals';
import { Prisma, PrismaClient } from './generated/client';
import { pool } from './pool';

/** Under load a transaction waits for its connection as long as any statement does (see pool.ts); Prisma's own patience ends sooner. */
const transactionOptions = { maxWait: 5_000, timeout: 10_000 };

/** The process' Prisma client, on the same connections as the hand-written statements. */
export function prisma(): PrismaClient {
  return oncePerProcess('prisma', () => new PrismaClient({ adapter: new PrismaPg(pool()), transactionOptions }));
}

export async function closePrisma(): Promise<void> {
  await takeFromProcess<PrismaClient>('prisma')?.$disconnect();
}

/** True where `error` is Prisma's report of a violated unique index over (at least) `field`. */
export function isUniqueViolation(error: unknown, field?: string): boolean {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== 'P2002') return false;
  return field === undefined || JSON.stringify(error.meta ?? {}).includes(field);
}
