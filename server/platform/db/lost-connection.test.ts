import { expect, test } from 'vitest';
import { toAppError } from '@/server/platform/errors';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { pool } from './pool';
import { prisma } from './prisma';
import { prismaTransaction, transaction } from './transaction';

/** The error clients get when the database connection is lost, for each kind of query. */

withFreshDatabase();

const author = { kind: 'system', cause: 'upkeep' } as const;
const die = 'SELECT pg_terminate_backend(pg_backend_pid())';

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'it succeeded',
    (error: unknown) => toAppError(error),
  );
}

test.each<[string, (identityId: string) => Promise<unknown>]>([
  ['a statement', () => pool().query(die)],
  ['a transaction', () => transaction(author, (client) => client.query(die))],
  [
    'what follows in a transaction',
    () =>
      transaction(author, async (client) => {
        await client.query(die).catch(() => undefined);
        await client.query('SELECT 1');
      }),
  ],
  ['a statement of Prisma', () => prisma().$queryRawUnsafe(die)],
  ['a transaction of Prisma', () => prismaTransaction(author, (tx) => tx.$executeRawUnsafe(die))],
  [
    'a query of Prisma after it',
    () =>
      prismaTransaction(author, async (tx) => {
        await tx.$executeRawUnsafe(die).catch(() => undefined);
        await tx.identity.findMany();
      }),
  ],
  [
    'a write to a standby',
    (id) =>
      prismaTransaction(author, async (tx) => {
        await tx.$executeRawUnsafe('SET TRANSACTION READ ONLY');
        await tx.identity.update({ where: { id }, data: { displayName: 'Renamed' } });
      }),
  ],
  [
    'a statement of Prisma that takes too long',
    () =>
      prismaTransaction(author, async (tx) => {
        await tx.$executeRawUnsafe('SET LOCAL statement_timeout = 10');
        await tx.$queryRawUnsafe('SELECT pg_sleep(5)');
      }),
  ],
  [
    'a connection that reports its failure (class 08)',
    () => pool().query(`DO $$ BEGIN RAISE EXCEPTION 'gone' USING ERRCODE = '08006'; END $$`),
  ],
  ['the same by Prisma', () => prisma().$executeRawUnsafe(`DO $$ BEGIN RAISE EXCEPTION 'gone' USING ERRCODE = '08006'; END $$`)],
])('%s: unavailable, and the next one succeeds', async (_what, work) => {
  const { identityId } = await createTestIdentity();
  expect(await failureOf(work(identityId))).toMatchObject({ code: 'unavailable', status: 503 });
  expect(await prisma().identity.count({ where: { id: identityId } })).toBe(1);
});
