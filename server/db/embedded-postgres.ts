import { spawn } from 'node:child_process';
import { open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ConfigurationError, environmentForChild } from '../env';
import { closeConnection, connectionLimits } from './connection';
import { type Cluster, clusterDirectory, isAlive, lastLine, openCluster, passwordFile, superuser } from './embedded-cluster';
import { freePort } from './free-port';

/**
 * A real PostgreSQL below DATA_DIR, started and stopped by us (docs/adr/0005).
 *
 * It outlives a killed server: the next start finds it by its `postmaster.pid` and goes on with it. Who may use a data directory is
 * settled by an advisory lock held by an open connection, which ends with its process however that ends.
 */

const databaseName = 'frontdesk';
/** "Frontdesk's data directory"; any constant will do, since the database holds nothing else. */
const leaseKey = 4_115_316_843;

export interface EmbeddedPostgres {
  url: string;
  /** Gives the data directory back and stops the database. */
  stop(): Promise<void>;
}

export interface StartOptions {
  dataDir: string;
  /** Says who holds the data directory, should a second process ask. */
  holder: 'frontdesk' | 'frontdesk-admin';
  onProgress?: (line: string) => void;
}

interface Postmaster {
  pid: number;
  port: number;
}

function urlOf(cluster: Pick<Cluster, 'password'>, port: number, database = databaseName): string {
  return `postgres://${superuser}:${cluster.password}@127.0.0.1:${port}/${database}`;
}

/** After a reboot or in a restarted container another program may have got the old number. */
async function isPostgres(pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return true;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command.includes('postgres');
}

/** The database server running on this cluster, if any, whoever started it. */
async function findPostmaster(directory: string): Promise<Postmaster | null> {
  const file = path.join(directory, 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch(() => '');
  const [pid, , , port] = text.split('\n');
  if (!pid) return null;
  if (!(await isPostgres(Number(pid)))) {
    // PostgreSQL itself would take a reused number for a running server and refuse to start.
    await rm(file, { force: true });
    return null;
  }
  return { pid: Number(pid), port: Number(port) };
}

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '120',
  shared_buffers: '256MB',
  // Our statements take well under a millisecond; compiling them would take longer.
  jit: 'off',
  cluster_name: 'frontdesk',
};

async function launch(cluster: Cluster, port: number): Promise<void> {
  const log = await open(cluster.logFile, 'w', 0o600);
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(cluster.binaries.postgres, ['-D', cluster.directory, '-p', String(port), ...flags], {
    ...cluster.owner,
    cwd: path.parse(cluster.directory).root,
    env: environmentForChild({ LC_ALL: 'C', LANG: 'C' }),
    // A process group of its own: Ctrl-C in the terminal must reach us alone, so that requests are finished first.
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  child.on('error', () => undefined);
  child.unref();
  await log.close();
}

/** A connection for short statements: a server that hangs must not keep us from giving it up, or from stopping it. */
async function connect(url: string, applicationName: string): Promise<pg.Client> {
  const name = { connectionString: url, application_name: applicationName };
  const client = new pg.Client({ ...name, ...connectionLimits, query_timeout: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    await closeConnection(client);
    throw error;
  }
  return client;
}

const startTimeout = 90_000;

/**
 * Connects to the cluster's server, starting it where there is none; waits while it starts, recovers or is about to stop.
 *
 * @param port where to start it; any free one unless said otherwise
 */
async function connectOrLaunch(
  cluster: Cluster,
  holder: string,
  port?: number,
): Promise<{ client: pg.Client; postmaster: Postmaster }> {
  const deadline = performance.now() + startTimeout;
  let launches = 0;
  let lastLaunch = Number.NEGATIVE_INFINITY;
  for (;;) {
    const postmaster = await findPostmaster(cluster.directory);
    if (postmaster?.port) {
      try {
        return { client: await connect(urlOf(cluster, postmaster.port, 'postgres'), holder), postmaster };
      } catch (error) {
        const { code } = error as { code?: string };
        if (code === '28P01')
          throw new ConfigurationError(`The password in ${path.join(cluster.directory, passwordFile)} is not the database's.`);
      }
    } else if (!postmaster && performance.now() - lastLaunch > 3_000) {
      if (launches++ === 3) throw new ConfigurationError(`PostgreSQL does not start: ${await startFailure(cluster)}`);
      lastLaunch = performance.now();
      await launch(cluster, port ?? (await freePort()));
    }
    if (performance.now() > deadline)
      throw new ConfigurationError(`PostgreSQL does not get ready: ${await startFailure(cluster)}`);
    await sleep(20);
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

async function holderOfLease(client: pg.Client): Promise<string | null> {
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
  // pg knows a limit for one statement; its types don't.
  const statement = { text: `CREATE DATABASE ${databaseName}`, query_timeout: startTimeout };
  await client.query(statement);
}

/**
 * Starts (or goes on with) the database of `dataDir`, for one process at a time.
 *
 * @throws ConfigurationError in one line: directory not usable, another server at work, database not starting.
 */
export async function startEmbeddedPostgres(options: StartOptions): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(options.dataDir, options.onProgress);
  const deadline = performance.now() + startTimeout;
  for (;;) {
    const { client, postmaster } = await connectOrLaunch(cluster, options.holder);
    try {
      if (await tryLease(client)) {
        await createDatabase(client);
        return supervise(cluster, options, { client, postmaster });
      }
      // The command line holds the directory for a moment only, and stops the database it started; a server stays.
      const holder = await holderOfLease(client);
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
    await sleep(100);
  }
}

/** The URL of the database of `dataDir` where its server runs already; null where it does not. */
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

/** Keeps the database up: one that goes away without being told to (out of memory, killed) is started again where it was. */
function supervise(cluster: Cluster, options: StartOptions, first: Lease): EmbeddedPostgres {
  let lease = first;
  let stopping = false;
  let restart: Promise<void> = Promise.resolve();
  const watch = () => {
    lease.client.once('end', () => {
      if (!stopping) restart = restartDatabase();
    });
  };
  const restartDatabase = async () => {
    options.onProgress?.('The database went away; starting it again …');
    while (!stopping) {
      try {
        lease = await connectOrLaunch(cluster, options.holder, first.postmaster.port);
        // Whoever took the directory in this moment (a command) gives it back soon.
        if (await tryLease(lease.client)) return watch();
        await closeConnection(lease.client);
      } catch (error) {
        options.onProgress?.(`The database could not be started again yet: ${(error as Error).message}`);
      }
      await sleep(1_000);
    }
  };
  watch();
  return {
    url: urlOf(cluster, first.postmaster.port),
    stop: async () => {
      stopping = true;
      await restart;
      await stop(lease);
    },
  };
}

/** Waits a little for connections that are being closed, ours or those of a command at work. */
async function othersGone(client: pg.Client): Promise<void> {
  const deadline = performance.now() + 5_000;
  const others = `SELECT count(*)::int AS others FROM pg_stat_activity WHERE datname = '${databaseName}' AND pid <> pg_backend_pid()`;
  while (performance.now() < deadline) {
    const result = await client.query<{ others: number }>(others).catch(() => null);
    if (!result?.rows[0]?.others) return;
    await sleep(20);
  }
}

/** Fast shutdown: open transactions roll back, everything committed is on disk. The lease goes with the server, not before it. */
async function stop({ client, postmaster: { pid } }: Lease): Promise<void> {
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(pid, name);
    } catch {
      // gone already
    }
  };
  await othersGone(client);
  signal('SIGINT');
  const deadline = performance.now() + 20_000;
  // One that has ended but was never waited for (an adopted one, under a careless PID 1) still has its number.
  while (await isPostgres(pid)) {
    if (performance.now() > deadline) signal('SIGQUIT');
    await sleep(20);
  }
  await closeConnection(client);
}
