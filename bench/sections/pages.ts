import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { startDatabase } from '../database';
import { createIdentity } from '../fill';
import { type Measurement, measure } from '../load';
import { type BenchServer, startPageBaseline, startProduct } from '../server';
import { median, milliseconds, type Table, whole } from '../table';
import { words } from '../words';

/** A page of the public blog out of the cache, beside the same bytes from a bare Node server. */

const paragraphs = 24;

/** A text post of some 1,400 words, with headings, a list, a table and code. */
function article(): string {
  const sentence = (seed: number) => Array.from({ length: 12 }, (_, n) => words[(seed * 31 + n * 7) % words.length]).join(' ');
  const text = Array.from({ length: paragraphs }, (_, n) => {
    const prose = Array.from({ length: 5 }, (__, part) => `${sentence(n * 5 + part)}.`).join(' ');
    return n % 4 === 0 ? `## ${sentence(n)}\n\n${prose}` : prose;
  });
  const code = '```ts\nexport function sum(values: number[]): number {\n  return values.reduce((a, b) => a + b, 0);\n}\n```';
  return [...text, '| a | b |\n|--|--:|\n| one | 1 |\n| two | 2 |', code].join('\n\n');
}

const brotli = { 'accept-encoding': 'br' };

/** A page as it goes over the wire. */
function fetchBytes(url: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { headers: brotli }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => resolve(Buffer.concat(chunks)));
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

export async function pages({ quick }: { quick: boolean }): Promise<Table> {
  const database = await startDatabase();
  try {
    const { sql, dataDir } = database;
    const identity = await createIdentity(sql, 'enterprise');
    await sql.query(
      `INSERT INTO blog_posts (id, identity_id, title, slug, content, author_name, tags, status, published_at, has_been_public)
        VALUES ($1, $2, 'A text post', 'a-text-post', $3, 'Ann', '{bench}', 'published', now(), true)`,
      [randomUUID(), identity.id, article()],
    );
    const { rows: found } = await sql.query<{ handle: string }>('SELECT handle FROM identities WHERE id = $1', [identity.id]);
    const page = `/blog/${found[0]?.handle}/a-text-post`;
    const product = await startProduct(dataDir, database.url);
    const bytes = await fetchBytes(product.url + page);
    const file = path.join(dataDir, 'page.br');
    await writeFile(file, bytes);
    const baseline = await startPageBaseline(dataDir, file);
    try {
      return {
        title: 'A cached page of the public blog',
        note:
          `Frontdesk / the same bytes from a bare Node server, for a text post of 1,400 words: ${(bytes.length / 1000).toFixed(1)} kB in all, ` +
          'stylesheet included (target: under 60). Target: at least 1,000 requests a second of Node CPU, or a third of the bare server.',
        head: [
          'Connections',
          'Requests/s',
          'Ratio',
          'p50 ms',
          'p99 ms',
          'CPU ms, Node',
          'Requests per CPU second',
          'CPU ms, PostgreSQL',
        ],
        rows: await rowsOf({ product, baseline, page, databasePid: database.pid, quick }),
      };
    } finally {
      await product.stop();
      await baseline.stop();
    }
  } finally {
    await database.remove();
  }
}

interface Contest {
  product: BenchServer;
  baseline: BenchServer;
  page: string;
  databasePid: number;
  quick: boolean;
}

async function rowsOf({ product, baseline, page, databasePid, quick }: Contest): Promise<string[][]> {
  const [roundCount, seconds] = quick ? [1, 2] : [7, 2];
  const load = (server: BenchServer, connections: number) =>
    measure(server, databasePid, () => ({ path: page, key: '', headers: brotli }), {
      connections,
      duration: seconds,
      status: 200,
    });
  const rows: string[][] = [];
  for (const server of [product, baseline]) await load(server, 8);
  for (const connections of [1, 8, 32]) {
    const rounds: { product: Measurement; baseline: Measurement }[] = [];
    for (let round = 0; round < roundCount; round++) {
      rounds.push({ product: await load(product, connections), baseline: await load(baseline, connections) });
    }
    const middle = (server: 'product' | 'baseline', read: (run: Measurement) => number | null) =>
      median(rounds.map((round) => read(round[server]) ?? Number.NaN));
    const both = (read: (run: Measurement) => number | null, format: (value: number) => string) =>
      `${format(middle('product', read))} / ${format(middle('baseline', read))}`;
    rows.push([
      String(connections),
      both((run) => run.perSecond, whole),
      median(rounds.map((round) => round.product.perSecond / round.baseline.perSecond)).toFixed(2),
      both((run) => run.p50, milliseconds),
      both((run) => run.p99, milliseconds),
      both((run) => run.serverCpu, milliseconds),
      both((run) => (run.serverCpu === null ? null : 1000 / run.serverCpu), whole),
      both((run) => run.databaseCpu, milliseconds),
    ]);
  }
  return rows;
}
