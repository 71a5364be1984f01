import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDatabase } from '../database';
import { type Committed, numberOf, percentile, withWriters, writeEvents } from '../event-writers';
import { type BenchIdentity, createIdentity, settle } from '../fill';
import { type BenchServer, startProduct } from '../server';
import { milliseconds, type Table, whole } from '../table';

/** Webhooks: how soon deliveries come, how many a second, and what those that wait cost. */

interface Receiver {
  url: string;
  /** When each event came first, by its number. */
  arrivals: Map<string, number>;
  close(): Promise<void>;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

/** @param isSilent takes requests and never answers them */
async function startReceiver({ isSilent = false } = {}): Promise<Receiver> {
  const arrivals = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const { data } = JSON.parse(await textOf(request)) as { data: { data: object } };
    const number = numberOf(data);
    if (!arrivals.has(number)) arrivals.set(number, performance.now());
    if (!isSilent) response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    arrivals,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function subscribe(product: BenchServer, { keys: [key] }: BenchIdentity, url: string): Promise<void> {
  const response = await fetch(`${product.url}/api/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, events: ['customer.*'] }),
  });
  const answer = (await response.json()) as { secret?: string };
  if (!response.ok || !answer.secret) throw new Error(`No webhook could be made: ${response.status} ${JSON.stringify(answer)}`);
}

/** Waits until all have come. @returns milliseconds from each commit to the first attempt */
async function delaysOf({ arrivals }: Receiver, committed: Committed, patience: number): Promise<number[]> {
  const until = performance.now() + patience;
  const missing = () => [...committed.keys()].filter((number) => !arrivals.has(number));
  while (missing().length > 0) {
    if (performance.now() > until) throw new Error(`${missing().length} of ${committed.size} events were not delivered.`);
    await sleep(50);
  }
  return [...committed].map(([number, at]) => Math.max(0, (arrivals.get(number) ?? 0) - at));
}

async function timed(product: BenchServer, identity: BenchIdentity, perSecond: number, seconds: number): Promise<string[]> {
  const receiver = await startReceiver();
  try {
    await subscribe(product, identity, receiver.url);
    const writers = perSecond < 10 ? 1 : 4;
    const { committed } = await writeEvents({ identities: [identity], writers, perSecond, seconds, run: `at-${perSecond}` });
    const delays = await delaysOf(receiver, committed, 60_000);
    const arrived = [...receiver.arrivals.values()];
    const took = (Math.max(...arrived) - Math.min(...arrived)) / 1000;
    const delay = (share: number) => `${milliseconds(percentile(delays, share))} ms`;
    return [`${perSecond} events/s`, whole(committed.size), whole(committed.size / took), delay(0.5), delay(0.99), '–'];
  } finally {
    await receiver.close();
  }
}

/** Deliveries to a receiver that takes five and answers none of them. */
async function waiting(product: BenchServer, identity: BenchIdentity, count: number): Promise<string[]> {
  const receiver = await startReceiver({ isSilent: true });
  try {
    await subscribe(product, identity, receiver.url);
    const before = product.residentMemory() ?? 0;
    await writeEvents({ identities: [identity], writers: 8, perSecond: count, seconds: 1, run: 'waiting' });
    let most = before;
    for (let second = 0; second < 20; second++) {
      await sleep(1_000);
      most = Math.max(most, product.residentMemory() ?? 0);
    }
    return [`${whole(count)} that wait`, whole(count), '–', '–', '–', `${whole(before)} → ${whole(most)} MB`];
  } finally {
    await receiver.close();
  }
}

export async function deliveries({ quick }: { quick: boolean }): Promise<Table> {
  const database = await startDatabase();
  try {
    const identities: BenchIdentity[] = [];
    for (let index = 0; index < 3; index++) identities.push(await createIdentity(database.sql, 'enterprise'));
    const [idle, busy, stuck] = identities as [BenchIdentity, BenchIdentity, BenchIdentity];
    await settle(database.sql);
    const product = await startProduct(database.dataDir, database.url, { OUTBOUND_ALLOWLIST: '127.0.0.1' });
    try {
      const rows = await withWriters(database, async () => [
        await timed(product, idle, 4, quick ? 5 : 50),
        await timed(product, busy, 100, quick ? 3 : 20),
        await waiting(product, stuck, 10_000),
      ]);
      return {
        title: 'Deliveries of webhooks',
        note: 'To a receiver on this machine, one endpoint each. The delay is from the commit to the first attempt. Memory is that of the Node process.',
        head: ['Load', 'Deliveries', 'Deliveries/s', 'Delay p50', 'Delay p99', 'Memory'],
        rows,
      };
    } finally {
      await product.stop();
    }
  } finally {
    await database.remove();
  }
}
