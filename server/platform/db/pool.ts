import { once } from 'node:events';
import type pg from 'pg';
import { env } from '../env';
import { logFailure } from '../outage-log';
import { oncePerProcess, setForProcess, takeFromProcess } from '../process-globals';
import { closeConnections, connectionLimits, destroyConnection, within } from './connection';
import { FairPool } from './fair-pool';
import { watchForSilence } from './silent-connections';
import { limitStatements } from './time-limits';

/** A pool, and a function that closes it in any state. */
export interface OwnPool {
  pool: FairPool;
  /** Takes at most a few seconds: connections still in use by then are destroyed. */
  close(): Promise<void>;
}

interface PoolOptions {
  max: number;
  applicationName: string;
}

/** Opens a pool that drops dead connections, including silently dead ones. */
export function makePool(connectionString: string, { max, applicationName }: PoolOptions): OwnPool {
  const config = { connectionString, application_name: applicationName, ...connectionLimits };
  const open = new Set<pg.ClientBase>();
  const inUse = new Set<pg.ClientBase>();
  // What killed one connection has probably killed others, so idle ones are replaced before they are needed.
  const onDead = async () => {
    const idle = [...open].filter((client) => !inUse.has(client));
    const ended = idle.map((client) => once(client, 'end'));
    for (const client of idle) destroyConnection(client);
    await within(1_000, Promise.allSettled(ended));
  };
  const onConnect = async (client: pg.ClientBase) => {
    open.add(client);
    client.once('end', () => open.delete(client));
    // Before the statement below, which the server may leave unanswered too.
    watchForSilence(client, config, { onDead });
    // Not as parameters of the connection, which PgBouncer refuses.
    await client.query(limitStatements('request'));
  };
  const pool = new FairPool({ ...config, max, idleTimeoutMillis: 60_000, onConnect });
  // Without a listener, a lost idle connection would end the process; the pool replaces it automatically.
  pool.on('error', (error) => logFailure(error, {}, 'idle database connection lost'));
  // The same for a connection lost while in use; its query already fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('acquire', (client) => inUse.add(client));
  pool.on('release', (_error, client) => inUse.delete(client));
  return { pool, close: () => closeConnections(pool, open) };
}

/** Opens the process-wide pool on `connectionString`. */
export function openPool(connectionString: string): FairPool {
  const { pool, close } = makePool(connectionString, { max: env().DATABASE_POOL_SIZE, applicationName: 'frontdesk' });
  setForProcess('pool', pool);
  setForProcess('pool-close', close);
  return pool;
}

/** The process-wide connection pool, opened at start-up. */
export function pool(): FairPool {
  return oncePerProcess('pool', () => {
    throw new Error('The database pool is not open yet.');
  });
}

export async function closePool(): Promise<void> {
  takeFromProcess<FairPool>('pool');
  await takeFromProcess<OwnPool['close']>('pool-close')?.();
}
