import { PassThrough, Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { within } from '@/server/testing/patience';
import { copyIn, copyOut } from './copy-stream';

let client: pg.Client;

beforeEach(async () => {
  client = new pg.Client({ connectionString: inject('postgresUrl') });
  client.on('error', () => undefined);
  await client.connect();
});

afterEach(() => client.end());

/** Sizes around the buffers of a COPY: 64 kB chunks, 256 kB of the stream, and the data of one socket read. */
const sizes = Array.from({ length: 250 }, (_, index) => 150_000 + index * 3_271);

const rowLength = 1_000;
const rowsOf = (bytes: number) =>
  copyOut(
    client,
    `COPY (SELECT repeat('x', ${rowLength - 1}) FROM generate_series(1, ${Math.ceil(bytes / rowLength)})) TO STDOUT`,
  );

/** Fails if the connection no longer responds. */
async function stillAnswers(size: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const silent = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer after a COPY of ${size} bytes`)), within(5));
  });
  await Promise.race([client.query('SELECT 1'), silent]).finally(() => clearTimeout(timer));
}

test('after a COPY of any size the connection goes on: an ordinary reader', async () => {
  for (const size of sizes) {
    let bytes = 0;
    for await (const piece of rowsOf(size) as AsyncIterable<Buffer>) bytes += piece.length;
    expect(bytes).toBe(Math.ceil(size / rowLength) * rowLength);
    await stillAnswers(size);
  }
});

test('after a COPY of any size the connection goes on: a reader that is slower than the database', async () => {
  for (const size of sizes) {
    let bytes = 0;
    const slow = new Writable({
      highWaterMark: 1,
      write(piece: Buffer, _encoding, done) {
        bytes += piece.length;
        setImmediate(() => setImmediate(done));
      },
    });
    await pipeline(rowsOf(size), slow);
    expect(bytes).toBe(Math.ceil(size / rowLength) * rowLength);
    await stillAnswers(size);
  }
});

test('rows of any size go in, from a source that is quicker than the database', async () => {
  await client.query('CREATE TEMPORARY TABLE things (word text)');
  for (const size of sizes.filter((_, index) => index % 5 === 0)) {
    const row = Buffer.from(`${'x'.repeat(rowLength - 1)}\n`);
    const piece = Buffer.concat(Array.from({ length: Math.ceil(size / rowLength / 4) }, () => row));
    await pipeline(Readable.from([piece, piece, piece, piece]), copyIn(client, 'COPY things FROM STDIN'));
    const { rows } = await client.query('WITH gone AS (DELETE FROM things RETURNING 1) SELECT count(*)::int AS rows FROM gone');
    expect(rows[0].rows * rowLength).toBe(piece.length * 4);
  }
});

test('a reader that begins only once all rows are there, or the database gives up, does not hold the connection up', async () => {
  // All of it fits into the buffers of stream and socket, so the end arrives while the socket is paused.
  for (const statement of [
    `COPY (SELECT repeat('x', ${rowLength - 1}) FROM generate_series(1, 400)) TO STDOUT`,
    `COPY (SELECT CASE WHEN n < 400 THEN repeat('x', ${rowLength - 1}) ELSE (1 / (n - 400))::text END FROM generate_series(1, 400) n) TO STDOUT`,
  ]) {
    const reading = copyOut(client, statement);
    const end = new Promise<void>((resolve) => reading.once('close', resolve));
    reading.on('error', () => undefined);
    reading.pause();
    await new Promise((resolve) => reading.once('readable', resolve));
    reading.resume();
    await end;
    await stillAnswers(400 * rowLength);
  }
});

test('a source that stops without an error takes nothing in, and the connection goes on', async () => {
  await client.query('CREATE TEMPORARY TABLE things (word text)');
  const writing = copyIn(client, 'COPY things FROM STDIN');
  await new Promise((resolve) => writing.write('a\n', resolve));
  writing.destroy();
  await stillAnswers(2);
  expect((await client.query('SELECT * FROM things')).rows).toEqual([]);
});

test('the last rows and the end in one read leave the connection reading', async () => {
  const connection = { stream: new PassThrough(), query: () => undefined } as unknown as pg.Connection;
  const queue = { query: (submittable: pg.Submittable) => submittable } as unknown as pg.Client;
  const reading = copyOut(queue, 'COPY things TO STDOUT') as Readable & CopyHandlers;
  reading.submit(connection);
  reading.handleCopyData({ chunk: Buffer.alloc(2 ** 20) }, connection);
  expect(connection.stream.isPaused()).toBe(true);
  reading.handleReadyForQuery(connection);
  expect(connection.stream.isPaused()).toBe(false);
  expect(await reading.toArray()).toHaveLength(1);
});

/** The methods of a `Submittable` that pg calls. */
interface CopyHandlers extends pg.Submittable {
  handleCopyData(message: { chunk: Buffer }, connection: pg.Connection): void;
  handleReadyForQuery(connection: pg.Connection): void;
}
