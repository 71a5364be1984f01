import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { copyIn, copyOut } from './copy-stream';

let client: pg.Client;

beforeEach(async () => {
  client = new pg.Client({ connectionString: inject('postgresUrl') });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('CREATE TEMPORARY TABLE things (number int, word text)');
});

afterEach(() => client.end());

const into = 'COPY things FROM STDIN';
const fill = (source: Readable) => pipeline(source, copyIn(client, into));

async function count(): Promise<number> {
  return (await client.query('SELECT count(*)::int AS count FROM things')).rows[0].count;
}

test('rows go in and come out, also when there are none', async () => {
  await fill(Readable.from([]));
  expect(await count()).toBe(0);
  expect(await copyOut(client, 'COPY things TO STDOUT').toArray()).toEqual([]);
  await fill(Readable.from([Buffer.from('1\ta\\tb\n2'), Buffer.from('\t\\N\n')]));
  expect((await client.query('SELECT word FROM things ORDER BY number')).rows).toEqual([{ word: 'a\tb' }, { word: null }]);
  const pieces: Buffer[] = await copyOut(client, 'COPY things TO STDOUT').toArray();
  expect(Buffer.concat(pieces).toString()).toBe('1\ta\\tb\n2\t\\N\n');
});

test('values that are easily lost come through', async () => {
  await client.query('CREATE TEMPORARY TABLE odd (data jsonb, note text, list text[], at timestamptz, raw bytea)');
  await client.query(`INSERT INTO odd VALUES ('null', '', '{}', '2026-01-01T00:00:00.123456Z', '\\x00ff'),
    (NULL, E'a\\tb\\\\N\\n\\r', '{NULL,"",a}', 'infinity', NULL)`);
  await client.query('CREATE TEMPORARY TABLE again (LIKE odd)');
  const pieces: Buffer[] = await copyOut(client, 'COPY odd TO STDOUT').toArray();
  await pipeline(Readable.from(pieces), copyIn(client, 'COPY again FROM STDIN'));
  const different = '(TABLE odd EXCEPT ALL TABLE again) UNION ALL (TABLE again EXCEPT ALL TABLE odd)';
  expect((await client.query(different)).rows).toEqual([]);
  expect((await client.query('SELECT data FROM again WHERE data IS NOT NULL')).rows).toEqual([{ data: null }]);
});

test('many rows pass through, in pieces', async () => {
  const rows = Array.from({ length: 1_000 }, (_, index) => Buffer.from(`${index}\t${'x'.repeat(99)}\n`.repeat(20)));
  await fill(Readable.from(rows));
  expect(await count()).toBe(20_000);
  let [pieces, bytes] = [0, 0];
  for await (const piece of copyOut(client, 'COPY things TO STDOUT') as AsyncIterable<Buffer>) {
    pieces++;
    bytes += piece.length;
  }
  expect(bytes).toBe(rows.reduce((sum, row) => sum + row.length, 0));
  expect(pieces).toBeLessThan(50);
});

test('what the database refuses is an error, and the connection goes on', async () => {
  await expect(copyOut(client, 'COPY nothing TO STDOUT').toArray()).rejects.toThrow('"nothing" does not exist');
  await expect(fill(Readable.from([Buffer.from('one\ta\n')]))).rejects.toThrow('invalid input syntax for type integer');
  expect(await count()).toBe(0);
});

test('a source that fails takes nothing in, and the connection goes on', async () => {
  const failing = Readable.from(
    (async function* () {
      yield Buffer.from('1\ta\n');
      throw new Error('the source failed');
    })(),
  );
  await expect(fill(failing)).rejects.toThrow('the source failed');
  expect(await count()).toBe(0);
});

test('who stops reading ends the connection', async () => {
  const ended = new Promise((resolve) => client.once('end', resolve));
  const endless = copyOut(client, 'COPY (SELECT generate_series(1, 100000000)) TO STDOUT');
  for await (const _ of endless) break;
  await ended;
});

test('a connection that is lost in the middle is an error', async () => {
  const reading = copyOut(client, 'COPY (SELECT generate_series(1, 100000000), pg_sleep(0.001)) TO STDOUT');
  const lost = expect(reading.toArray()).rejects.toThrow();
  const { rows } = await withAnother((other) =>
    other.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'COPY (SELECT generate_series%pg_sleep%'`,
    ),
  );
  expect(rows).toHaveLength(1);
  await lost;
});

async function withAnother<T extends { rows: unknown[] }>(work: (other: pg.Client) => Promise<T>): Promise<T> {
  const other = new pg.Client({ connectionString: inject('postgresUrl') });
  await other.connect();
  try {
    for (;;) {
      const result = await work(other);
      if (result.rows.length > 0) return result;
    }
  } finally {
    await other.end();
  }
}
