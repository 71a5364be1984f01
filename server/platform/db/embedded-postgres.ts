import { type ChildProcess, spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { ConfigurationError, environmentForChild } from '../env';
import { Client, closeConnection, connectionLimits, destroyConnection } from './connection';
import { type Cluster, clusterDirectory, lastLine, openCluster, passwordFile, superuser } from './embedded-cluster';
import { keepEarlierLog } from './embedded-log';
import { findPostmaster, isPostgres, type Postmaster } from './embedded-postmaster';
import { freePort } from './free-port';

/**
 * A real PostgreSQL below DATA_DIR, started and stopped by this process (docs/adr/0005).
 * It survives a killed server: the next start finds it by its `postmaster.pid` and reuses it. An advisory lock on an open
 * connection gives one process exclusive use of a data directory; the lock ends with its process, even after a crash.
 */

const databaseName = 'frontdesk';
/** "Frontdesk's data directory"; any constant works, since the database is used for nothing else. */
const leaseKey = 4_115_316_843;

export interface EmbeddedPostgres {
  url: string;
  /** Releases the data directory and stops the database. */
  stop(): Promise<void>;
}

export interface StartOptions {
  dataDir: string;
  /** Which program holds the data directory; shown to a second process that wants it. */
  holder: 'frontdesk' | 'frontdesk-admin';
  onProgress?: ((line: string) => void) | undefined;
  /** Called repeatedly while PostgreSQL is starting. */
  onWaiting?: (() => void) | undefined;
  /** Settings of PostgreSQL besides the usual ones, if this start launches it. */
  extraSettings?: Readonly<Record<string, string>> | undefined;
  /** Aborts at any step, and stops the database if this start launched it. */
  signal?: AbortSignal | undefined;
}

function urlOf(cluster: Pick<Cluster, 'password'>, port: number, database = databaseName): string {
  return `postgres://${superuser}:${cluster.password}@127.0.0.1:${port}/${database}`;
}

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '120',
  shared_buffers: '256MB',
  // Our statements take well under a millisecond, less than JIT compilation.
  jit: 'off',
  cluster_name: 'frontdesk',
};

async function launch(cluster: Cluster, port: number, extraSettings: StartOptions['extraSettings']): Promise<ChildProcess> {
  await keepEarlierLog(cluster.logFile);
  const log = await open(cluster.logFile, 'a', 0o600);
  const flags = Object.entries({ ...settings, ...extraSettings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(cluster.binaries.postgres, ['-D', cluster.directory, '-p', String(port), ...flags], {
    ...cluster.owner,
    cwd: path.parse(cluster.directory).root,
    env: environmentForChild({ LC_ALL: 'C', LANG: 'C' }),
    // A separate process group: Ctrl-C in the terminal must reach only us, so that requests finish first.
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  child.on('error', () => undefined);
  child.unref();
  await log.close();
  return child;
}

/** A connection for short statements, with timeouts: a hanging server must not prevent us from giving up or stopping it. */
async function connect(url: string, applicationName: string, attempt?: Attempt): Promise<pg.Client> {
  const name = { connectionString: url, application_name: applicationName };
  const client = new Client({ ...name, ...connectionLimits, query_timeout: 10_000 });
  client.on('error', () => undefined);
  if (attempt) attempt.client = client;
  try {
    await client.connect();
  } catch (error) {
    await closeConnection(client);
    throw error;
  }
  return client;
}

const startTimeout = 90_000;

/** One attempt to connect to the database. */
interface Attempt extends Pick<StartOptions, 'holder' | 'onWaiting' | 'extraSettings' | 'signal'> {
  /** Port to start it on; any free one by default. */
  port?: number;
  /** Processes and connections of the attempt, ended if it is aborted. */
  launched?: ChildProcess;
  client?: pg.Client;
}

/** Whether a launched server has not ended; on a busy machine it takes seconds until its `postmaster.pid` is there. */
function isRunning(child: ChildProcess | undefined): boolean {
  return child?.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/** Connects to the cluster's server, starting it if needed. Waits while it starts, recovers or shuts down. */
async function connectOrLaunch(cluster: Cluster, attempt: Attempt): Promise<{ client: pg.Client; postmaster: Postmaster }> {
  const { holder, port, extraSettings, signal } = attempt;
  const deadline = performance.now() + startTimeout;
  let launches = 0;
  let lastLaunch = Number.NEGATIVE_INFINITY;
  for (;;) {
    signal?.throwIfAborted();
    attempt.onWaiting?.();
    const postmaster = await findPostmaster(cluster.directory);
    if (postmaster?.port) {
      try {
        return { client: await connect(urlOf(cluster, postmaster.port, 'postgres'), holder, attempt), postmaster };
      } catch (error) {
        const { code } = error as { code?: string };
        if (code === '28P01')
          throw new ConfigurationError(
            `The password in ${path.join(cluster.directory, passwordFile)} is not the database's. Put the file back, or stop the database (process ${postmaster.pid}) and delete the file: the next start sets a new password.`,
          );
      }
    } else if (!postmaster && !isRunning(attempt.launched) && performance.now() - lastLaunch > 3_000) {
      if (launches++ === 3) throw new ConfigurationError(`PostgreSQL does not start: ${await startFailure(cluster)}`);
      lastLaunch = performance.now();
      attempt.launched = await launch(cluster, port ?? (await freePort()), extraSettings);
    }
    if (performance.now() > deadline)
      throw new ConfigurationError(`PostgreSQL does not get ready: ${await startFailure(cluster)}`);
    await sleep(20, undefined, { signal });
  }
}

async function startFailure(cluster: Cluster): Promise<string> {
  const output = await readFile(cluster.logFile, 'utf8').catch(() => '');
  const fatal = output
    .split('\n')
    .filter((line) => /FATAL|PANIC|could not/.test(line))
    .at(-1);
  return `${lastLine(fatal ?? output)} (see ${cluster.logFile})`;
}

async function leaseHolder(client: pg.Client): Promise<string | null> {
  const result = await client.query<{ application_name: string }>(
    `SELECT a.application_name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'advisory' AND l.granted AND ((l.classid::bigint << 32) | l.objid::bigint) = $1`,
    [leaseKey],
  );
  return result.rows[0]?.application_name ?? null;
}

async function tryLease(client: pg.Client): Promise<boolean> {
  const result = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [leaseKey]);
  return result.rows[0]?.held ?? false;
}

async function createDatabase(client: pg.Client): Promise<void> {
  const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [databaseName]);
  if (found.rowCount !== 0) return;
  // pg supports a timeout per statement, but its types don't.
  const statement = { text: `CREATE DATABASE ${databaseName}`, query_timeout: startTimeout };
  await client.query(statement);
}

/**
 * Starts or reuses the database of `dataDir`, for one process at a time.
 * @throws ConfigurationError in one line: directory not usable, another server running, database not starting.
 */
export async function startEmbeddedPostgres(options: StartOptions): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(options.dataDir, options);
  const { holder, onWaiting, extraSettings, signal } = options;
  return withAbortCleanup({ holder, onWaiting, extraSettings, signal }, (attempt) => begin(cluster, options, attempt));
}

/** Runs an attempt; if its signal aborts it, what it launched is stopped. */
async function withAbortCleanup<T>(attempt: Attempt, work: (attempt: Attempt) => Promise<T>): Promise<T> {
  const { signal } = attempt;
  const giveUp = () => attempt.client && destroyConnection(attempt.client);
  signal?.addEventListener('abort', giveUp);
  try {
    return await work(attempt);
  } catch (error) {
    if (signal?.aborted && attempt.launched?.pid !== undefined) await endServer(attempt.launched.pid, 3_000);
    throw error;
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
}

async function begin(cluster: Cluster, options: StartOptions, attempt: Attempt): Promise<EmbeddedPostgres> {
  const deadline = performance.now() + startTimeout;
  for (;;) {
    const { client, postmaster } = await connectOrLaunch(cluster, attempt);
    try {
      if (await tryLease(client)) {
        await createDatabase(client);
        return supervise(cluster, options, { client, postmaster });
      }
      // The command line holds the directory only briefly, and stops a database it started; a server keeps it.
      const holder = await leaseHolder(client);
      if (holder === 'frontdesk' || performance.now() > deadline) {
        await closeConnection(client);
        throw new ConfigurationError(
          `Another Frontdesk server is using the data directory ${options.dataDir}. Stop it, or set another DATA_DIR.`,
        );
      }
    } catch (error) {
      if (error instanceof ConfigurationError) throw error;
      if (performance.now() > deadline)
        throw new ConfigurationError(`PostgreSQL does not answer: ${await startFailure(cluster)}`, { cause: error });
    }
    await closeConnection(client);
    await sleep(100, undefined, { signal: attempt.signal });
  }
}

/** The URL of the database of `dataDir` if its server is running, else null. */
export async function findEmbeddedPostgres(dataDir: string): Promise<string | null> {
  const directory = clusterDirectory(dataDir);
  const postmaster = await findPostmaster(directory);
  if (!postmaster?.port) return null;
  const password = (await readFile(path.join(directory, passwordFile), 'utf8')).trim();
  const url = urlOf({ password }, postmaster.port);
  const client = await connect(url, 'frontdesk-admin').catch(() => null);
  if (client) await closeConnection(client);
  return client ? url : null;
}

interface Lease {
  client: pg.Client;
  postmaster: Postmaster;
}

/** Restarts the database on the same port if it ends unexpectedly (out of memory, killed). */
function supervise(cluster: Cluster, options: StartOptions, first: Lease): EmbeddedPostgres {
  let lease = first;
  const stopping = new AbortController();
  const { signal } = stopping;
  let restart: Promise<void> = Promise.resolve();
  const watch = () => {
    lease.client.once('end', () => {
      if (!signal.aborted) restart = restartDatabase();
    });
  };
  const restartDatabase = async () => {
    options.onProgress?.('The database went away; starting it again …');
    while (!signal.aborted) {
      try {
        const { port } = first.postmaster;
        const { holder, extraSettings } = options;
        lease = await withAbortCleanup({ holder, port, extraSettings, signal }, (attempt) => connectOrLaunch(cluster, attempt));
        // If a command took the directory in this moment, it releases it soon.
        if (await tryLease(lease.client)) return watch();
        await closeConnection(lease.client);
      } catch (error) {
        if (signal.aborted) return;
        options.onProgress?.(`The database could not be started again yet: ${(error as Error).message}`);
      }
      await sleep(1_000, undefined, { signal }).catch(() => undefined);
    }
  };
  watch();
  return {
    url: urlOf(cluster, first.postmaster.port),
    stop: async () => {
      stopping.abort();
      await restart;
      await stop(lease);
    },
  };
}

/** Waits briefly for other connections to close, ours or those of a running command. */
async function waitForOtherConnections(client: pg.Client): Promise<void> {
  const deadline = performance.now() + 5_000;
  const others = `SELECT count(*)::int AS others FROM pg_stat_activity WHERE datname = '${databaseName}' AND pid <> pg_backend_pid()`;
  while (performance.now() < deadline) {
    const result = await client.query<{ others: number }>(others).catch(() => null);
    if (!result?.rows[0]?.others) return;
    await sleep(20);
  }
}

/** Stops the server first and so keeps the lease until then. */
async function stop({ client, postmaster: { pid } }: Lease): Promise<void> {
  await waitForOtherConnections(client);
  await endServer(pid, 20_000);
  await closeConnection(client);
}

/**
 * Fast shutdown: open transactions roll back, committed data is on disk. A server that does not end in time is killed, and
 * recovers at its next start.
 * @param patience timeout of the fast shutdown, in milliseconds
 */
async function endServer(pid: number, patience: number): Promise<void> {
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', patience],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 1_000],
  ];
  for (const [signal, time] of steps) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    const deadline = performance.now() + time;
    while (performance.now() < deadline) {
      // A process that ended without being waited for (adopted by a PID 1 that does not reap) still has its process id.
      if (!(await isPostgres(pid))) return;
      await sleep(20);
    }
  }
}
