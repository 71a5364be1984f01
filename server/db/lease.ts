import type { Socket } from 'node:net';
import pg from 'pg';
import { oncePerProcess, takeFromProcess } from '../process-registry';
import { pool } from './pool';

/**
 * Leases: who holds one is alone with a thing among all servers of an installation, and loses it the moment its process dies, since
 * PostgreSQL's advisory locks end with the connection that took them. One connection carries all leases of a process.
 */
interface Leases {
  client: Promise<pg.Client> | null;
  held: Set<string>;
  /** The last statement on the connection, which takes one at a time. */
  last: Promise<unknown>;
  /** Resolves when the connection ends, and all leases with it. */
  lost: Promise<void>;
}

function leases(): Leases {
  return oncePerProcess<Leases>('leases', () => ({
    client: null,
    held: new Set(),
    last: Promise.resolve(),
    lost: Promise.resolve(),
  }));
}

/** The connection that carries the leases, opened where there is none (any more). */
function connection(state: Leases): Promise<pg.Client> {
  if (state.client) return state.client;
  const client = new pg.Client({ ...pool().options, application_name: 'frontdesk-leases' });
  const opened: Promise<pg.Client> = client.connect().then(() => client);
  const forget = () => {
    // One that ends late must not take its successor along.
    if (state.client === opened) state.client = null;
  };
  client.on('error', forget);
  client.on('end', forget);
  state.lost = new Promise((resolve) => client.once('end', () => resolve()));
  opened.catch(forget);
  state.client = opened;
  return opened;
}

/** Milliseconds that a statement may take which only tries. */
const patience = 5_000;

/**
 * What the statement gives; or, where a server that is gone without a word lets it hang, the end of the connection. That frees its locks and
 * fails all who wait behind it, instead of holding them up for as long as TCP hopes.
 */
async function inTime<T>(client: pg.Client, statement: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
      reject(Object.assign(new Error('the connection of the leases does not answer'), { code: 'ETIMEDOUT' }));
    }, patience);
  });
  try {
    return await Promise.race([statement, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs a statement once those before it are done. @returns its one value */
function ask(state: Leases, client: pg.Client, lockFunction: string, key: string): Promise<boolean> {
  const answer = state.last.then(async () => {
    const text = `SELECT ${lockFunction}(hashtextextended($1, 1)) AS answer`;
    const result = await inTime(client, client.query<{ answer: boolean }>(text, [key])).catch((error: Error) => {
      // Behind one that hung, pg says only that the connection is of no use any more.
      throw /not queryable|closed/.test(error.message) ? Object.assign(error, { code: 'ECONNRESET' }) : error;
    });
    return result.rows[0]?.answer ?? false;
  });
  state.last = answer.catch(() => undefined);
  return answer;
}

/**
 * Runs `work` while no other process (and nothing else here) holds the lease of `key`.
 *
 * @param work gets a promise of the lease's loss, should its connection end
 * @returns what `work` returns; undefined, without running it, where the lease is taken
 */
export async function withLease<T>(key: string, work: (lost: Promise<void>) => Promise<T>): Promise<T | undefined> {
  const state = leases();
  if (state.held.has(key)) return undefined;
  state.held.add(key);
  try {
    const client = await connection(state);
    if (!(await ask(state, client, 'pg_try_advisory_lock', key))) return undefined;
    try {
      return await work(state.lost);
    } finally {
      // Where the connection is gone, so is the lock.
      await ask(state, client, 'pg_advisory_unlock', key).catch(() => undefined);
    }
  } finally {
    state.held.delete(key);
  }
}

export async function closeLeases(): Promise<void> {
  const client = await takeFromProcess<Leases>('leases')?.client?.catch(() => null);
  await client?.end();
}
