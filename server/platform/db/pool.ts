import { once } from 'node:events';
import type pg from 'pg';
import { env, isPooled } from '../env';
import { logFailure } from '../outage-log';
import { oncePerProcess, setForProcess, takeFromProcess } from '../process-globals';
import { Client, closeConnections, connectionLimits, destroyConnection, within } from './connection';
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
  /** The role that connections take; by default, the one they signed in as. */
  role?: string | undefined;
  /** The connections lead through PgBouncer in transaction mode, where no setting or prepared statement outlives a transaction. */
  isPooled?: boolean;
}

/** Opens a pool that drops dead connections, including silently dead ones. */
export function makePool(
  connectionString: string,
  { max, applicationName, role, isPooled: isThroughPooler = false }: PoolOptions,
): OwnPool {
  const config = { connectionString, application_name: applicationName, ...connectionLimits };
  const settings = `${limitStatements('request')}${role === undefined ? '' : `; SET ROLE ${role}`}`;
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
    if (isThroughPooler) prepareNothing(client);
    // Not as parameters of the connection, which poolers refuse.
    else await client.query(settings);
  };
  const pool = new FairPool({ ...config, Client, max, idleTimeoutMillis: 60_000, onConnect, pipeline: true });
  // Without a listener, a lost idle connection would end the process; the pool replaces it automatically.
  pool.on('error', (error) => logFailure(error, {}, 'idle database connection lost'));
  // The same for a connection lost while in use; its query already fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('acquire', (client) => inUse.add(client));
  pool.on('release', (_error, client) => inUse.delete(client));
  return { pool, close: () => closeConnections(pool, open) };
}

/** Runs named statements without their names, which the next connection would not know. */
function prepareNothing(client: pg.ClientBase): void {
  const query = client.query.bind(client) as (statement: object, ...others: unknown[]) => unknown;
  const run = (statement: unknown, ...others: unknown[]) =>
    query(
      typeof statement === 'object' && statement && 'name' in statement
        ? { ...statement, name: undefined }
        : (statement as object),
      ...others,
    );
  client.query = run as typeof client.query;
}

interface Access {
  /** The role of the server's connections; by default, the one they signed in as. */
  role?: string | undefined;
  /** Where locks and notifications go, if the pool's connections lead through a pooler. */
  directUrl?: string | undefined;
}

/** Opens the process-wide pool on `connectionString`. */
export function openPool(connectionString: string, { role, directUrl }: Access = {}): FairPool {
  const own = makePool(connectionString, {
    max: env().DATABASE_POOL_SIZE,
    applicationName: 'frontdesk',
    isPooled: isPooled(connectionString),
    role,
  });
  setForProcess('pool', own.pool);
  setForProcess('pool-close', own.close);
  setForProcess('direct-url', directUrl ?? connectionString);
  return own.pool;
}

/** The process-wide connection pool, opened at start-up. */
export function pool(): FairPool {
  return oncePerProcess('pool', () => {
    throw new Error('The database pool is not open yet.');
  });
}

/** For a connection that is a session of PostgreSQL, for `LISTEN` and advisory locks: also where the pool's lead through a pooler. */
export function directConfig(applicationName: string): pg.ClientConfig {
  const connectionString = oncePerProcess<string>('direct-url', () => {
    throw new Error('The database pool is not open yet.');
  });
  return { connectionString, application_name: applicationName, ...connectionLimits };
}

export async function closePool(): Promise<void> {
  takeFromProcess('pool');
  takeFromProcess('direct-url');
  await takeFromProcess<OwnPool['close']>('pool-close')?.();
}
