import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { createDatabase, dropDatabase } from '@/server/testing/postgres';
import { differences } from './catalog';

const urls: string[] = [];
const clients: pg.Client[] = [];

beforeEach(async () => {
  for (let index = 0; index < 2; index++) {
    const url = await createDatabase(inject('postgresUrl'));
    urls.push(url);
    const client = new pg.Client({ connectionString: url });
    clients.push(client);
    await client.connect();
  }
});

afterEach(async () => {
  for (const client of clients.splice(0)) await client.end();
  for (const url of urls.splice(0)) await dropDatabase(inject('postgresUrl'), url);
});

async function found(schema: string, migrations: string): Promise<string[]> {
  const [fromSchema, fromMigrations] = clients as [pg.Client, pg.Client];
  await fromSchema.query(schema);
  await fromMigrations.query(migrations);
  return differences(fromSchema, fromMigrations);
}

test('a column, a default, an index and a NOT NULL of the schema must be in the migrations', async () => {
  expect(
    await found('CREATE TABLE t (a int NOT NULL DEFAULT 1, b text); CREATE INDEX i ON t (b)', 'CREATE TABLE t (a int)'),
  ).toEqual([
    'missing in the migrations: column t.b text',
    'missing in the migrations: default t.a 1',
    'missing in the migrations: index CREATE INDEX i ON public.t USING btree (b)',
    'missing in the migrations: not null t.a',
  ]);
});

test('what was removed from the schema must be gone', async () => {
  expect(await found('CREATE TABLE t (a int)', "CREATE TABLE t (a int, b text); CREATE TYPE e AS ENUM ('x')")).toEqual([
    'missing in the schema: column t.b text',
    'missing in the schema: enum e (x)',
  ]);
});

test('the migrations may have what the schema can’t say', async () => {
  const more = 'CREATE TABLE t (a int NOT NULL CHECK (a > 0)); CREATE INDEX i ON t (a) WHERE a > 1';
  expect(await found('CREATE TABLE t (a int)', more)).toEqual([]);
});
