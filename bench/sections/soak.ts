import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { startDatabase } from '../database';
import { type MakeRequest, measure } from '../load';
import { type BenchServer, startProduct } from '../server';
import { median, milliseconds, type Table, whole } from '../table';
import { fillTenants, type Tenant } from '../tenants';
import { create, getById, listOf50, search } from '../workload';

/** What is held at one moment. */
interface Holding {
  memory: number;
  files: number;
  connections: number;
}

/**
 * Ten minutes of mixed load: whether memory, database connections and open files stay as they are, and how long the slowest requests take.
 */
export async function soak({ quick }: { quick: boolean }): Promise<Table> {
  const database = await startDatabase();
  try {
    const tenants = await fillTenants(database);
    const product = await startProduct(database.dataDir, database.url);
    try {
      const duration = quick ? 20 : 600;
      const seen: Holding[] = [];
      const load = measure(product, database.pid, mixed(tenants), { connections: 16, duration, status: 200 });
      const watch = watching(product, database.sql, seen, duration);
      const result = await load;
      await watch;
      // The first tenth is warming up.
      const [early, late] = [
        seen.slice(Math.ceil(seen.length / 10), Math.ceil(seen.length / 3)),
        seen.slice(-Math.ceil(seen.length / 3)),
      ];
      const row = (name: string, of: (holding: Holding) => number, unit = '') => [
        name,
        `${whole(median(early.map(of)))}${unit}`,
        `${whole(median(late.map(of)))}${unit}`,
        `${whole(Math.max(...seen.map(of)))}${unit}`,
      ];
      const { perSecond, p50, p99, requests } = result;
      return {
        title: 'Soak',
        note: `${quick ? '20 seconds' : 'Ten minutes'}, 16 connections, ${whole(requests)} requests at ${whole(perSecond)} a second: half reads of a customer, a fifth lists, a tenth searches, a fifth writes. p50 ${milliseconds(p50)} ms, p99 ${milliseconds(p99)} ms.`,
        head: ['What', 'Middle of the first third', 'Middle of the last third', 'Most'],
        rows: [
          row('memory of the Node process', ({ memory }) => memory, ' MB'),
          row('open files and sockets', ({ files }) => files),
          row('database connections', ({ connections }) => connections),
        ],
      };
    } finally {
      await product.stop();
    }
  } finally {
    await database.remove();
  }
}

/** Of ten requests five read one customer, two a list, one searches, two write; all are answered with 200. */
function mixed(tenants: readonly Tenant[]): MakeRequest {
  const [get, list, find, make] = [getById(tenants), listOf50(tenants), search(tenants), create(tenants, 'soak')];
  const track: MakeRequest = (n) => ({ ...make(n), path: '/api/v1/usage/track', body: { type: 'token_usage', totalTokens: 7 } });
  const change: MakeRequest = (n) => ({ ...get(n), method: 'PATCH', body: { notes: `Seen ${n} times` } });
  const share = [get, get, list, change, get, find, get, track, list, get];
  return (n) => (share[n % share.length] ?? get)(n);
}

async function watching(product: BenchServer, sql: pg.Client, seen: Holding[], seconds: number): Promise<void> {
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    await sleep(Math.min(5_000, seconds * 50));
    const { rows } = await sql.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name IN ('frontdesk', 'frontdesk-leases')`,
    );
    seen.push({
      memory: product.residentMemory() ?? 0,
      files: readdirSync(`/proc/${product.pid}/fd`).length,
      connections: rows[0]?.count ?? 0,
    });
  }
}
