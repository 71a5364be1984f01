import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { withHttpServer } from '@/server/testing/rest';
import { env } from '../env';
import { toAppError } from '../errors';
import { onBehalfOf } from '../on-behalf-of';
import { makePool, pool } from './pool';
import { rows } from './sql';
import { patience, timeLimits } from './time-limits';
import { prismaTransaction, transaction } from './transaction';

withFreshDatabase({ DATABASE_POOL_SIZE: '10' });
const call = withHttpServer();

const system = { kind: 'system', cause: 'upkeep' } as const;

const limits = {
  text: `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
    current_setting('idle_in_transaction_session_timeout') AS idle`,
  values: [],
};

/** Holds the row of an identity's customer until `letGo` is called. */
async function holdCustomer(id: string) {
  const { pool: other, close } = makePool(env().DATABASE_URL ?? '', { max: 1, applicationName: 'test' });
  const client = await other.connect();
  await client.query('SET idle_in_transaction_session_timeout = 0');
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM customers WHERE id = $1 FOR UPDATE', [id]);
  return async () => {
    await client.query('ROLLBACK');
    client.release();
    await close();
  };
}

async function createCustomer() {
  const { key, actor } = await createTestIdentity();
  const { body } = await call('POST', '/api/v1/identity/customers', { key, json: { contacts: [{ email: 'ann@x.io' }] } });
  const { id } = body as { id: string };
  const change = (notes: string) => call('PATCH', `/api/v1/identity/customers/${id}`, { key, json: { notes } });
  return { actor, id, change };
}

describe('time limits', () => {
  test('are those of a request on every connection, and those of a job in its transaction only', async () => {
    const inRequests = { statement: '15s', lock: '1500ms', idle: '15s' };
    expect(await rows(pool(), limits)).toEqual([inRequests]);
    expect(await transaction(system, (client) => rows(client, limits))).toEqual([
      { statement: '5min', lock: '1500ms', idle: '1min' },
    ]);
    const { actor } = await createTestIdentity();
    expect(await transaction(actor, (client) => rows(client, limits))).toEqual([inRequests]);
    expect(await prismaTransaction(actor, (tx) => tx.$queryRawUnsafe(limits.text))).toEqual([inRequests]);
    expect(await rows(pool(), limits)).toEqual([inRequests]);
  });

  test('end a statement that takes too long as a 503', async () => {
    const { actor } = await createTestIdentity();
    const late = transaction(actor, async (client) => {
      await client.query('SET LOCAL statement_timeout = 50');
      await client.query('SELECT pg_sleep(10)');
    });
    const error = toAppError(await late.catch((caught: unknown) => caught));
    expect(error).toMatchObject({ code: 'unavailable', status: 503, headers: { 'Retry-After': '5' } });
    expect(error.message).toMatch(/took too long/);
  });

  test('end a transaction that pauses as a 503, and free its locks', async () => {
    const { id, change } = await createCustomer();
    const idle = transaction(system, async (client) => {
      await client.query('SET LOCAL idle_in_transaction_session_timeout = 50');
      await client.query('SELECT 1 FROM customers WHERE id = $1 FOR UPDATE', [id]);
      await new Promise((resolve) => client.once('end', resolve));
      await client.query('SELECT 1');
    });
    expect(toAppError(await idle.catch((caught: unknown) => caught))).toMatchObject({ code: 'unavailable' });
    expect(await change('free again')).toMatchObject({ status: 200 });
  });
});

describe('a held row', () => {
  test('delays a change, which is carried out once it is free', async () => {
    const { id, change } = await createCustomer();
    const letGo = await holdCustomer(id);
    const changing = change('after all');
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(() => rows(pool(), { text: waiting, values: [] })).toHaveLength(1);
    // Longer than one slice of waiting.
    await rows(pool(), { text: `SELECT pg_sleep($1)`, values: [timeLimits.request.lock / 1_000 + 0.2] });
    await letGo();
    expect(await changing).toMatchObject({ status: 200, body: { notes: 'after all' } });
  });

  test('is a 503 with Retry-After when it stays, of Prisma as well, and changes nothing', async () => {
    const { actor, id, change } = await createCustomer();
    const letGo = await holdCustomer(id);
    try {
      const startedAt = performance.now();
      const throughPrisma = prismaTransaction(actor, (tx) =>
        tx.customer.updateMany({ where: { id }, data: { notes: 'never' } }),
      ).catch((caught: unknown) => toAppError(caught));
      const answer = await change('never');
      expect(answer).toMatchObject({
        status: 503,
        body: { code: 'unavailable', message: expect.stringMatching(/changing the same data/) },
      });
      expect(answer.headers['retry-after']).toBe('5');
      expect(await throughPrisma).toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(/changing the same data/),
      });
      // Not with the patience of jobs.
      expect(performance.now() - startedAt).toBeLessThan(patience.job);
    } finally {
      await letGo();
    }
    expect(await change('now')).toMatchObject({ status: 200 });
  });

  test('of two identities, with thirty requests each for it, lets a third through', async () => {
    const [one, two, third] = await Promise.all([createCustomer(), createCustomer(), createCustomer()]);
    const letGo = [await holdCustomer(one.id), await holdCustomer(two.id)];
    const blocked = Promise.all([one, two].flatMap(({ change }) => Array.from({ length: 30 }, (_, n) => change(`n ${n}`))));
    try {
      for (let n = 0; n < 5; n++) expect(await third.change(`n ${n}`)).toMatchObject({ status: 200 });
    } finally {
      for (const free of letGo) await free();
    }
    await blocked;
  });
});

test('one identity gets at most half of the connections', async () => {
  const { actor } = await createTestIdentity();
  const got: pg.PoolClient[] = [];
  let isOver = false;
  const take = async () => {
    const client = await pool().connect();
    if (isOver) client.release();
    else got.push(client);
  };
  const taking = onBehalfOf(actor, () => Array.from({ length: 12 }, take));
  try {
    await expect.poll(() => got.length).toBe(5);
    // Answered before any of those that came first.
    await rows(pool(), { text: 'SELECT 1', values: [] });
    expect(got).toHaveLength(5);
  } finally {
    isOver = true;
    for (const client of got) client.release();
    await Promise.allSettled(taking);
  }
});
