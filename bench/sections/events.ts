import type { EventPage } from '@/server/features/events/event.schema';
import { startDatabase } from '../database';
import { type Committed, numberOf, percentile, withWriters, writeEvents } from '../event-writers';
import { type BenchIdentity, createIdentity, settle } from '../fill';
import { cpuOf, cpuOfFamily } from '../proc';
import { startProduct } from '../server';
import { milliseconds, type Table, whole } from '../table';

const followers = 5;
const perSecond = 1_000;

interface Followed {
  /** Milliseconds from the commit of each event to its arrival. */
  lags: number[];
  requests: number;
}

interface Log {
  read: (after: string, wait: number) => Promise<EventPage>;
  /** Where to begin. */
  from: string;
  /** What has been committed so far. */
  committed: () => Committed;
  /** Whether nothing more will be. */
  isOver: () => boolean;
}

function readerOf(url: string, key: string): Log['read'] {
  return async (after, wait) => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${url}/api/v1/event-log?after=${after}&limit=100&wait=${wait}`, { headers });
    if (!response.ok) throw new Error(`The log answered ${response.status}.`);
    return (await response.json()) as EventPage;
  };
}

/**
 * Follows the log by long polls until everything that was written has come.
 *
 * @throws Error if an event is missing, comes twice, or is not the next one of its object
 */
async function follow({ read, from, committed, isOver }: Log): Promise<Followed> {
  const arrivals = new Map<string, number>();
  const versions = new Map<string, number>();
  let after = from;
  let requests = 0;
  for (;;) {
    const wasOver = isOver();
    const { events, nextCursor } = await read(after, 5);
    const now = performance.now();
    requests++;
    after = nextCursor;
    for (const event of events) {
      const { id, version } = event.object;
      const number = numberOf(event);
      if (arrivals.has(number)) throw new Error(`Event ${number} came twice.`);
      if (versions.has(id) && versions.get(id) !== version - 1) throw new Error(`${id} jumps to version ${version}.`);
      versions.set(id, version);
      arrivals.set(number, now);
    }
    if (wasOver && events.length === 0) break;
  }
  const missing = [...committed().keys()].filter((number) => !arrivals.has(number));
  if (missing.length > 0) throw new Error(`${missing.length} events did not come, the first is ${missing[0]}.`);
  // An event can arrive before its writer has learnt of its own commit.
  const lags = [...committed()].map(([number, at]) => Math.max(0, (arrivals.get(number) ?? 0) - at));
  return { lags, requests };
}

/**
 * The log of events under load: several writers, and five programs that follow the busiest of the identities by long polls. Fails if
 * one of them misses an event.
 */
export async function events({ quick }: { quick: boolean }): Promise<Table> {
  const seconds = quick ? 5 : 20;
  const database = await startDatabase();
  try {
    const busiest = await createIdentity(database.sql, 'enterprise', followers);
    const others: BenchIdentity[] = [];
    for (let n = 0; n < 4; n++) others.push(await createIdentity(database.sql, 'enterprise'));
    await settle(database.sql);
    const product = await startProduct(database.dataDir, database.url, { RATE_LIMIT_BURST_PER_SECOND: '0' });
    try {
      return await withWriters(database, async () => {
        const identities = [busiest, ...others];
        await writeEvents({ identities, writers: 4, perSecond: 100, seconds: 1, run: 'warm' });
        let committed: Committed | null = null;
        const log = { committed: () => committed ?? new Map(), isOver: () => committed !== null };
        const readers = busiest.keys.map((key) => readerOf(product.url, key));
        // Where all begin is known before anything is written.
        const starts = await Promise.all(readers.map(async (read) => ({ read, from: (await read('now', 0)).nextCursor })));
        const following = Promise.all(starts.map((start) => follow({ ...log, ...start })));
        const before = [cpuOf(product.pid), cpuOfFamily(database.pid)];
        const written = await writeEvents({ identities, writers: 16, perSecond, seconds, run: 'main' });
        const after = [cpuOf(product.pid), cpuOfFamily(database.pid)];
        committed = written.committed;
        const followed = await following;
        const cpu = (index: number) => whole(((after[index] ?? 0) - (before[index] ?? 0)) / seconds / 10);
        return {
          title: 'Event log',
          note:
            `${whole(perSecond)} events a second for ${seconds} s from 16 writers, for five identities: ${whole(written.count)} in all, ` +
            `${whole(written.committed.size)} for one that ${followers} programs follow by long polls. Each of them got every event once, the changes ` +
            'of each object in order. The lag is from the commit to the arrival.',
          head: [
            'Written/s',
            'Lag p50 ms',
            'Lag p99 ms',
            'Most ms',
            'Requests of a follower',
            'CPU %, Node',
            'CPU %, PostgreSQL',
          ],
          rows: [rowOf(written.perSecond, followed, [cpu(0), cpu(1)])],
        };
      });
    } finally {
      await product.stop();
    }
  } finally {
    await database.remove();
  }
}

function rowOf(written: number, followed: readonly Followed[], cpu: string[]): string[] {
  const lags = followed.flatMap((one) => one.lags);
  const requests = followed.reduce((sum, one) => sum + one.requests, 0) / followed.length;
  const lag = (share: number) => milliseconds(percentile(lags, share));
  return [whole(written), lag(0.5), lag(0.99), lag(1), whole(requests), ...cpu];
}
