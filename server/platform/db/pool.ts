import { once } from 'node:events';
import pg from 'pg';
import { env } from '../env';
import { logFailure } from '../outage-log';
import { oncePerProcess, setForProcess, takeFromProcess } from '../process-globals';
import { breakOff, closeConnections, connectionLimits, within } from './connection';
import { watchForSilence } from './silence';

/** A pool, and the way to close it whatever became of its connections. */
export interface OwnPool {
  pool: pg.Pool;
  /** Ends within seconds: connections still in use by then are broken off. */
  close(): Promise<void>;
}

interface PoolOptions {
  max: number;
  applicationName: string;
}

/** Opens a pool whose connections leave it when they die, also those that die without a word. */
export function makePool(connectionString: string, { max, applicationName }: PoolOptions): OwnPool {
  const config = { connectionString, application_name: applicationName, ...connectionLimits };
  const pool = new pg.Pool({ ...config, max, idleTimeoutMillis: 60_000 });
  const open = new Set<pg.PoolClient>();
  const inUse = new Set<pg.PoolClient>();
  // What made one connection die has probably made others die: those that no one uses are replaced before someone waits for them.
  const onDead = async () => {
    const idle = [...open].filter((client) => !inUse.has(client));
    const ended = idle.map((client) => once(client, 'end'));
    for (const client of idle) breakOff(client);
    await within(1_000, Promise.allSettled(ended));
  };
  // Without a listener, a connection lost while idle would end the process; the pool replaces it by itself.
  pool.on('error', (error) => logFailure(error, {}, 'idle database connection lost'));
  pool.on('connect', (client) => {
    // The same for one lost while in use: its query fails, and that is enough.
    client.on('error', () => undefined);
    open.add(client);
    client.once('end', () => open.delete(client));
    watchForSilence(client, config, { onDead });
  });
  pool.on('acquire', (client) => inUse.add(client));
  pool.on('release', (_error, client) => inUse.delete(client));
  return { pool, close: () => closeConnections(pool, open) };
}

/** Opens a pool on `connectionString` and makes it the process' own. */
export function openPool(connectionString: string): pg.Pool {
  const { pool, close } = makePool(connectionString, { max: env().DATABASE_POOL_SIZE, applicationName: 'frontdesk' });
  setForProcess('pool', pool);
  setForProcess('pool-close', close);
  return pool;
}

/** The process' connection pool, opened at start-up. */
export function pool(): pg.Pool {
  return oncePerProcess('pool', () => {
    throw new Error('The database pool is not open yet.');
  });
}

export async function closePool(): Promise<void> {
  takeFromProcess<pg.Pool>('pool');
  await takeFromProcess<OwnPool['close']>('pool-close')?.();
}
