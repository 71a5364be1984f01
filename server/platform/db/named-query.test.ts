import type pg from 'pg';
import { expect, test } from 'vitest';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { pool } from './pool';

withFreshDatabase();

const everyType = `SELECT 'a "text"' AS text, 1 AS "int4", 2::bigint AS "int8", 1.50::numeric AS numeric, 0.25::float8 AS "float8", true AS bool,
  '2026-11-21 09:30:00.5+00'::timestamptz AS time, '2026-11-21'::date AS date, '{"a": [1]}'::jsonb AS jsonb, ARRAY['x', 'y, z'] AS texts,
  ARRAY['01890000-0000-7000-8000-000000000000'::uuid] AS uuids, '\\x00ff'::bytea AS bytea, NULL::jsonb AS nothing, interval '1 day' AS span,
  n AS "it's a \\ name" FROM generate_series(1, 3) AS n WHERE n > $1`;

test('rows of every type are those that pg reads', async () => {
  const client = await pool().connect();
  try {
    for (let run = 0; run < 2; run++) {
      const named = await client.query({ name: 'every-type', text: everyType, values: [run] });
      const plain = await client.query({ text: everyType, values: [run] });
      expect(named.rows).toEqual(plain.rows);
      expect([named.rowCount, named.command]).toEqual([3 - run, 'SELECT']);
    }
  } finally {
    client.release();
  }
});

test('a column that has another type now is read as that', async () => {
  const read = async (type: string) => {
    const client = await pool().connect();
    const { rows } = await client.query({ name: 'changing', text: `SELECT $1::text::${type} AS value`, values: ['7'] });
    // Another connection, as after a migration.
    client.release(true);
    return rows[0].value;
  };
  expect([await read('text'), await read('int'), await read('text')]).toEqual(['7', 7, '7']);
});

test('an error names the statement’s caller', async () => {
  const failing = { name: 'failing', text: 'SELECT 1 / $1::int', values: [0] };
  const client = await pool().connect();
  async function caller(): Promise<unknown> {
    return await client.query(failing);
  }
  const error = await caller().catch((reason: Error) => reason);
  client.release();
  expect(error).toMatchObject({ code: '22012' });
  expect((error as Error).stack).toContain('caller');
});

test('a value that can’t be read fails its statement, and no other', async () => {
  const unreadable = () => {
    throw new Error('unreadable');
  };
  const types = { getTypeParser: () => unreadable } as unknown as pg.CustomTypesConfig;
  const failing = pool().query({ name: 'unreadable', text: 'SELECT $1::int AS n', values: [1], types });
  await expect(failing).rejects.toThrow('unreadable');
  const { rows } = await pool().query({ name: 'readable', text: 'SELECT $1::int AS n', values: [1] });
  expect(rows).toEqual([{ n: 1 }]);
});

test('changes without rows tell how many there were', async () => {
  const statement = { name: 'no-rows', text: 'UPDATE identities SET updated_at = now() WHERE id = $1', values: ['no id'] };
  await expect(pool().query(statement)).rejects.toMatchObject({ code: '22P02' });
  const { identityId } = await createTestIdentity();
  const changed = await pool().query({ ...statement, values: [identityId] });
  expect([changed.rowCount, changed.rows]).toEqual([1, []]);
});
