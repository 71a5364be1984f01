import pg from 'pg';
import { oncePerProcess, takeFromProcess } from '../process-globals';
import { closeConnection } from './connection';
import { pool } from './pool';
import { watchForSilence } from './silence';

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
  const config = { ...pool().options, application_name: 'frontdesk-leases' };
  const client = new pg.Client(config);
  const opened: Promise<pg.Client> = client.connect().then(() => {
    watchForSilence(client, config, { patience });
    return client;
  });
  const forget = () => {
    // One that ends late must not take its successor along.
    if (state.client === opened) state.client = null;
  };
  client.on('error', forget);
  client.on('end', forget);
  // Between statements the loss of a connection that died without a word would go unnoticed.
  const heart = setInterval(() => void beat(state, client), heartbeat);
  heart.unref();
  state.lost = new Promise((resolve) => client.once('end', () => resolve()));
  void state.lost.then(() => clearInterval(heart));
  opened.catch(() => {
    clearInterval(heart);
    forget();
  });
  state.client = opened;
  return opened;
}

/** Milliseconds between two signs of life, and without an answer to a statement which only tries. */
const [heartbeat, patience] = [5_000, 3_000];

function beat(state: Leases, client: pg.Client): Promise<unknown> {
  state.last = state.last.then(() => client.query('SELECT 1')).catch(() => undefined);
  return state.last;
}

/** Runs a statement once those before it are done. @returns its one value */
function ask(state: Leases, client: pg.Client, lockFunction: string, key: string): Promise<boolean> {
  const answer = state.last.then(async () => {
    const text = `SELECT ${lockFunction}(hashtextextended($1, 1)) AS answer`;
    const result = await client.query<{ answer: boolean }>(text, [key]).catch((error: Error) => {
      // Behind one that was never answered, pg says only that the connection is of no use any more.
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
  if (client) await closeConnection(client);
}
