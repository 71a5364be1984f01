import { setTimeout as sleep } from 'node:timers/promises';
import { customerEvents } from '@/server/features/customers/customer.events.schema';
import type { CustomerRecord } from '@/server/features/customers/customer.schema';
import { change, emit } from '@/server/features/events/emit.service';
import { closePool, openPool } from '@/server/platform/db/pool';
import { transaction } from '@/server/platform/db/transaction';
import { parseEnv } from '@/server/platform/env';
import { setForProcess } from '@/server/platform/process-globals';
import type { BenchDatabase } from './database';
import type { BenchIdentity } from './fill';

/**
 * Writes events as another server of the installation does, with the code of the product and without what a request costs: the log is
 * measured and not the operations that write into it.
 */

/** Objects of each identity that the events are about, in turn, so that each changes many times. */
const objects = 200;
/** Changes of one transaction. */
const perTransaction = 2;

/** When the transaction of each event was committed, by the number that its object carries. */
export type Committed = Map<string, number>;

export async function withWriters<T>(database: BenchDatabase, work: () => Promise<T>): Promise<T> {
  const settings = { NODE_ENV: 'production', LOG_LEVEL: 'error', DATA_DIR: database.dataDir, AUTH_SECRET: 'x'.repeat(32) };
  setForProcess('env', parseEnv({ ...settings, DATABASE_URL: database.url, DATABASE_POOL_SIZE: '24' }));
  openPool(database.url);
  try {
    return await work();
  } finally {
    await closePool();
  }
}

/** The number of an event that was written here. */
export function numberOf(event: { data: object }): string {
  return (event.data as { object: CustomerRecord }).object.company;
}

function customer(id: string, company: string): CustomerRecord {
  const now = new Date().toISOString();
  const record = { id, company, phone: '', tags: ['bench'], notes: 'x'.repeat(300), metadata: {}, contacts: [] };
  return { ...record, createdAt: now, updatedAt: now } as unknown as CustomerRecord;
}

async function write({ id: identityId }: BenchIdentity, run: string, numbers: readonly number[], committed: Committed) {
  const actor = { kind: 'system', identityId } as const;
  // Objects in one order, as every transaction of the product locks them.
  const changes = numbers.map((number) =>
    change({
      kind: customerEvents,
      type: 'customer.updated',
      id: `${run}-${number % objects}`,
      object: customer(`${run}-${number % objects}`, String(number)),
    }),
  );
  await transaction(actor, (client) => emit(client, actor, changes));
  const at = performance.now();
  for (const number of numbers) committed.set(String(number), at);
}

export interface Writing {
  /** The first gets every other transaction, the others share the rest. */
  identities: readonly BenchIdentity[];
  writers: number;
  perSecond: number;
  seconds: number;
  /** Part of the ids of objects. */
  run: string;
}

/**
 * Writes at an even pace from several writers at once.
 *
 * @returns the events of the first identity, and how many there are of all
 */
export async function writeEvents({ identities, writers, perSecond, seconds, run }: Writing) {
  const [first, ...others] = identities;
  if (!first) throw new Error('There is nobody to write for.');
  const committed: Committed = new Map();
  const elsewhere: Committed = new Map();
  const total = Math.round(perSecond * seconds);
  const startedAt = performance.now();
  let next = 0;
  const writer = async () => {
    for (;;) {
      const number = next;
      next += perTransaction;
      if (number >= total) return;
      const due = startedAt + (number * 1000) / perSecond;
      if (due > performance.now()) await sleep(due - performance.now());
      const turn = number / perTransaction;
      const numbers = Array.from({ length: Math.min(perTransaction, total - number) }, (_each, index) => number + index);
      const other = others[Math.floor(turn / 2) % Math.max(1, others.length)];
      if (turn % 2 && other) await write(other, run, numbers, elsewhere);
      else await write(first, run, numbers, committed);
    }
  };
  await Promise.all(Array.from({ length: writers }, writer));
  const took = (performance.now() - startedAt) / 1000;
  return { committed, count: committed.size + elsewhere.size, perSecond: (committed.size + elsewhere.size) / took };
}

/** A sorted list's value that this share of it does not exceed. */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
}
