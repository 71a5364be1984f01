import type pg from 'pg';
import { oncePerProcess, takeFromProcess } from '../process-globals';
import { Client, closeConnection } from './connection';
import { directConfig } from './pool';
import { watchForSilence } from './silent-connections';

/**
 * Leases: exclusive locks across all servers of an installation, lost when the process dies, since PostgreSQL's advisory locks
 * end with their connection. One connection carries all leases of a process.
 */
interface Leases {
  client: Promise<pg.Client> | null;
  held: Set<string>;
  /** The last statement on the connection, which runs them one at a time. */
  last: Promise<unknown>;
  /** Resolves when the connection ends, which ends all leases. */
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

/** The connection that carries the leases, opened if there is none. */
function connection(state: Leases): Promise<pg.Client> {
  if (state.client) return state.client;
  const config = directConfig('frontdesk-leases');
  const client = new Client(config);
  const opened: Promise<pg.Client> = client.connect().then(() => {
    watchForSilence(client, config, { patience: lockTimeout });
    return client;
  });
  const forget = () => {
    // An old connection that ends late must not clear its successor.
    if (state.client === opened) state.client = null;
  };
  client.on('error', forget);
  client.on('end', forget);
  // Without statements, a silently dead connection would go unnoticed.
  const timer = setInterval(() => void sendHeartbeat(state, client), heartbeat);
  timer.unref();
  state.lost = new Promise((resolve) => client.once('end', () => resolve()));
  void state.lost.then(() => clearInterval(timer));
  opened.catch(() => {
    clearInterval(timer);
    forget();
  });
  state.client = opened;
  return opened;
}

/** Milliseconds between two heartbeats, and the timeout of a statement that tries to take a lease. */
const [heartbeat, lockTimeout] = [5_000, 3_000];

function sendHeartbeat(state: Leases, client: pg.Client): Promise<unknown> {
  state.last = state.last.then(() => client.query('SELECT 1')).catch(() => undefined);
  return state.last;
}

/** Runs a lock function after the previous statements. @returns its single value */
function callLockFunction(state: Leases, client: pg.Client, lockFunction: string, key: string): Promise<boolean> {
  const answer = state.last.then(async () => {
    const text = `SELECT ${lockFunction}(hashtextextended($1, 1)) AS answer`;
    const result = await client.query<{ answer: boolean }>(text, [key]).catch((error: Error) => {
      // After a statement without an answer, pg only reports that the connection is unusable.
      throw /not queryable|closed/.test(error.message) ? Object.assign(error, { code: 'ECONNRESET' }) : error;
    });
    return result.rows[0]?.answer ?? false;
  });
  state.last = answer.catch(() => undefined);
  return answer;
}

/**
 * Runs `work` while no other process (and nothing else in this one) holds the lease of `key`.
 * @param work gets a promise that resolves if the lease is lost because its connection ended
 * @returns the result of `work`; undefined, without running it, if the lease is taken
 */
export async function withLease<T>(key: string, work: (lost: Promise<void>) => Promise<T>): Promise<T | undefined> {
  const state = leases();
  if (state.held.has(key)) return undefined;
  state.held.add(key);
  try {
    const client = await connection(state);
    if (!(await callLockFunction(state, client, 'pg_try_advisory_lock', key))) return undefined;
    try {
      return await work(state.lost);
    } finally {
      // If the connection is gone, so is the lock.
      await callLockFunction(state, client, 'pg_advisory_unlock', key).catch(() => undefined);
    }
  } finally {
    state.held.delete(key);
  }
}

export async function closeLeases(): Promise<void> {
  const client = await takeFromProcess<Leases>('leases')?.client?.catch(() => null);
  if (client) await closeConnection(client);
}
