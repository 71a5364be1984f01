import { mkdtempSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openConnection } from '@/server/platform/db/own-connection';
import { env } from '@/server/platform/env';
import { withFreshDatabase } from '@/server/testing/database';
import { type CheckedStatement, checkStatement, neverRun } from './check';
import { readCatalog } from './describe';
import { applyExceptions } from './findings';
import { foreignModels, ownersOf, type PublishedSql } from './ownership';
import { loadParser } from './parse-sql';
import { readRecording } from './recording';
import { SourceTypes } from './row-types';

/** Each kind of fault, in a small schema or a small source. */

withFreshDatabase();

const text = 'SELECT id, label, total FROM things WHERE id = $1';

const source = `declare function rows<Row>(statement: { name?: string; text: string; values: unknown[] }): Promise<Row[]>;
async function firstOf<Row>(statement: { text: string; values: unknown[] }) {
  return (await rows<Row>(statement))[0];
}
rows<{ id: string; label: string; total: number }>({ name: 'thing', text: '', values: ['a'] });
rows<{ id: string; label: string; total: number; extra: string }>({ name: 'wide', text: '', values: ['a'] });
rows<{ id: string; label: string; total: number }>({ name: 'numbered', text: '', values: [5] });
rows<{ id: string; label: string; total: number }>({ name: 'uncounted', text: '', values: ['a', 'b'] });
firstOf<{ id: string; label: string; total: number; more: string }>({ text: '', values: ['a'] });
`;

const [thing, wide, numbered, uncounted] = [5, 6, 7, 8].map((line) => [{ file: 'server/example.ts', line, column: 1 }]);
const throughHelper = [
  { file: 'server/example.ts', line: 3, column: 17 },
  { file: 'server/example.ts', line: 9, column: 1 },
];

let directory: string;
let types: SourceTypes;
let client: pg.Client;

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'sql-check-'));
  await mkdir(path.join(directory, 'server'));
  await writeFile(path.join(directory, 'tsconfig.json'), '{ "compilerOptions": { "strict": true, "types": [] } }');
  await writeFile(path.join(directory, 'server/example.ts'), source);
  types = new SourceTypes(directory);
  await loadParser();
});

afterAll(() => rm(directory, { recursive: true, force: true }));

beforeEach(async () => {
  client = await openConnection({ url: env().DATABASE_URL ?? '', applicationName: 'frontdesk-test' });
  await client.query('BEGIN');
  await client.query('CREATE TABLE things (id uuid NOT NULL, label text NOT NULL, total int NOT NULL)');
  await client.query('CREATE TABLE others (id uuid NOT NULL, label text NOT NULL)');
});

afterEach(async () => {
  await client.end();
});

async function findings(sites = thing, changes: Partial<CheckedStatement> = {}, published: PublishedSql[] = []) {
  const truth = { client, catalog: await readCatalog(client), types, published };
  const statement = {
    name: 'thing',
    text,
    isIso: false,
    file: 'server/features/blog/example.ts',
    call: types.callAt(sites ?? []),
  };
  const found = await checkStatement(truth, { ...statement, ...changes });
  return found
    .filter(({ subject }) => subject !== 'things' && subject !== 'others')
    .map(({ kind, message }) => `${kind}: ${message}`);
}

describe('a row type', () => {
  test('that fits has no findings', async () => {
    expect(await findings()).toEqual([]);
  });

  test('of a renamed column is found', async () => {
    await client.query('ALTER TABLE things RENAME COLUMN label TO title');
    expect(await findings()).toEqual([expect.stringContaining('refused: column "label" does not exist')]);
  });

  test('that does not know of null is found', async () => {
    await client.query('ALTER TABLE things ALTER COLUMN label DROP NOT NULL');
    expect(await findings()).toEqual(['undeclared null: label (things.label) may be null']);
  });

  test('that takes an int8 for a number is found', async () => {
    await client.query('ALTER TABLE things ALTER COLUMN total TYPE bigint');
    expect(await findings()).toEqual(['wrong type: total is string (int8 or numeric), not number']);
  });

  test('with a column that is not selected is found, through a generic helper too', async () => {
    expect(await findings(wide)).toEqual(['missing column: no column extra in the result']);
    expect(await findings(throughHelper)).toEqual(['missing column: no column more in the result']);
  });

  test('that does not know of an outer join is found', async () => {
    const joined = 'SELECT t.id, o.label, t.total FROM things t LEFT JOIN others o ON o.id = t.id WHERE t.id = $1';
    expect(await findings(thing, { text: joined })).toEqual([
      'undeclared null: label (others.label) may be null: it comes from an outer join',
    ]);
    expect(await findings(thing, { text: joined.replace('LEFT ', '') })).toEqual([]);
  });
});

describe('parameters', () => {
  test('of another type are found', async () => {
    expect(await findings(numbered)).toEqual(['wrong parameter: $1 is uuid, not 5']);
  });

  test('of another number are found', async () => {
    expect(await findings(uncounted)).toEqual(['wrong parameter: 2 values are given for 1 parameters']);
  });
});

describe('tables', () => {
  const reads = async (sql: string, published: PublishedSql[] = []) => {
    const truth = { client, catalog: await readCatalog(client), types, published };
    const statement = { name: 'x', text: sql, isIso: false, file: 'server/features/blog/example.ts', call: undefined };
    return (await checkStatement(truth, statement)).map(({ message }) => message);
  };

  test('of another feature are found, of one’s own and those of PostgreSQL are not', async () => {
    expect(await reads('SELECT 1 FROM blog_posts, pg_class')).toEqual([]);
    expect(await reads('SELECT 1 FROM agents')).toEqual(['features/blog reads agents, a table of features/agents']);
    expect(await reads('WITH gone AS (DELETE FROM agents RETURNING 1) SELECT * FROM gone')).toEqual([
      'features/blog writes agents, a table of features/agents',
    ]);
    expect(await reads('SELECT 1 FROM things')).toEqual([
      'features/blog reads things, a table of no one: no feature.ts names it',
    ]);
  });

  test('are open inside of SQL that their owner publishes, and nowhere else', async () => {
    const sql = '(SELECT id FROM agents)';
    const published = [{ owner: 'features/agents', text: Buffer.from(sql) }];
    expect(await reads(`SELECT 'ä' FROM ${sql} a`, published)).toEqual([]);
    expect(await reads(`SELECT 1 FROM ${sql} a, agents`, published)).toHaveLength(1);
    expect(await reads(`SELECT 1 FROM ${sql} a`, [{ owner: 'features/mail', text: Buffer.from(sql) }])).toHaveLength(1);
  });

  test('all have an owner', async () => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'v')`,
    );
    const names = rows.map(({ name }) => name).filter((name) => name !== 'things' && name !== 'others');
    expect(names.filter((name) => !ownersOf(name))).toEqual([]);
  });

  test('are not open through a model of Prisma either', () => {
    const site = { file: 'server/features/blog/example.ts', line: 1, column: 1 };
    const tables = new Map([
      ['Agent', 'agents'],
      ['BlogPost', 'blog_posts'],
    ]);
    const found = foreignModels(
      [
        { model: 'Agent', site },
        { model: 'BlogPost', site },
      ],
      tables,
    );
    expect(found.map(({ subject }) => subject)).toEqual(['agents']);
  });
});

test('a named statement that no test runs is found', () => {
  const names = ['thing', 'wide', 'numbered'];
  const recorded = names.map((name) => ({ name, text, isIso: false, sites: [] }));
  expect(neverRun(types, recorded).map(({ statement }) => statement)).toEqual(['uncounted']);
});

test('an exception accepts one finding, and is reported where nothing needs it', () => {
  const finding = { kind: 'refused', statement: 'a', subject: '', message: 'no' } as const;
  const exception = { kind: 'refused', statement: 'a', subject: '', reason: 'why' } as const;
  expect(applyExceptions([finding], [exception])).toEqual({ open: [], unused: [] });
  const other = { ...exception, statement: 'b' };
  expect(applyExceptions([finding], [other])).toEqual({ open: [finding], unused: [other] });
});

test('a recording holds each text of a call once', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'recording-'));
  const line = JSON.stringify({ text, isIso: false, sites: thing });
  await writeFile(path.join(folder, '1.jsonl'), `${line}\n${line}\n`);
  await writeFile(path.join(folder, '2.jsonl'), `${line}\n`);
  expect(readRecording(folder)).toHaveLength(1);
  await rm(folder, { recursive: true });
});
