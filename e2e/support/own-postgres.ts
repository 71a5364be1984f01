import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import pg from 'pg';
import { type Cluster, openCluster, superuser } from '@/server/platform/db/embedded-cluster';
import { freePort } from '@/server/platform/db/free-port';
import { exitOf, tied } from '@/server/testing/child-process';
import { within } from '@/server/testing/patience';
import { makeDataDir } from './installation';

/** A PostgreSQL that a test can stop and start again with its data, like a database machine that fails and returns. */
export interface OwnPostgres {
  url: string;
  /** Immediately, like a machine that fails. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

function launch({ binaries, directory, owner }: Cluster, port: number): ChildProcess {
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: '60' };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return spawn(...tied(binaries.postgres, ['-D', directory, '-p', String(port), ...flags]), {
    ...owner,
    cwd: '/',
    stdio: 'ignore',
  });
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const dataDir = await makeDataDir();
  const cluster = await openCluster(dataDir);
  const port = await freePort();
  const url = `postgres://${superuser}:${cluster.password}@127.0.0.1:${port}/postgres`;
  let running: ChildProcess | null = null;
  const start = async () => {
    running = launch(cluster, port);
    const deadline = Date.now() + within(8);
    while (!(await answers(url))) if (Date.now() > deadline) throw new Error('PostgreSQL did not get ready.');
  };
  const stop = async () => {
    const child = running;
    running = null;
    if (!child) return;
    child.kill('SIGQUIT');
    await exitOf(child);
  };
  await start();
  const remove = async () => {
    await stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { url, start, stop, remove };
}
