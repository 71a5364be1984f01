import pg from 'pg';
import { env } from '../env';
import { logFailure } from '../outage-log';
import { oncePerProcess, setForProcess, takeFromProcess } from '../process-registry';

/** Opens a pool on `connectionString` and makes it the process' own. */
export function openPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: env().DATABASE_POOL_SIZE,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'frontdesk',
  });
  // Without a listener, a connection lost while idle would end the process; the pool replaces it by itself.
  pool.on('error', (error) => logFailure(error, {}, 'idle database connection lost'));
  // The same for one lost while in use: its query fails, and that is enough.
  pool.on('connect', (client) => client.on('error', () => undefined));
  setForProcess('pool', pool);
  return pool;
}

/** The process' connection pool, opened at start-up. */
export function pool(): pg.Pool {
  return oncePerProcess('pool', () => {
    throw new Error('The database pool is not open yet.');
  });
}

export async function closePool(): Promise<void> {
  await takeFromProcess<pg.Pool>('pool')?.end();
}
