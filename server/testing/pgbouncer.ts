import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '@/server/platform/db/free-port';
import { limitStatements } from '@/server/platform/db/time-limits';
import { kill } from './child-process';
import { findProgram } from './program';

/** Null if it is not installed. */
export const pgBouncer = findProgram('pgbouncer');

/** A real PgBouncer in transaction mode. */
export interface TestPgBouncer {
  /** The database through it, as the login of the given URL. */
  url: string;
  stop(): Promise<void>;
}

/** Resolves when something listens there. */
async function listens(port: number, hasEnded: () => boolean): Promise<void> {
  for (;;) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isOpen) return;
    if (hasEnded()) throw new Error('PgBouncer ended at its start.');
  }
}

/**
 * Starts PgBouncer in front of the database at `databaseUrl`, with few connections to it, so that every client soon gets one that another
 * client had.
 */
export async function startPgBouncer(databaseUrl: string, connections = 3): Promise<TestPgBouncer> {
  const { hostname, port: databasePort, pathname, username, password } = new URL(databaseUrl);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pgbouncer-'));
  const port = await freePort();
  const [database, file, users] = [pathname.slice(1), path.join(folder, 'pgbouncer.ini'), path.join(folder, 'users.txt')];
  await writeFile(users, `"${username}" "${password}"\n`);
  await writeFile(
    file,
    `[databases]
${database} = host=${hostname} port=${databasePort} dbname=${database} connect_query='${limitStatements('request')}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 500
`,
  );
  await Promise.all([chmod(folder, 0o755), chmod(users, 0o644)]);
  // It refuses root, and then runs as the user that PostgreSQL runs as, too.
  const asUser = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  const child = spawn(pgBouncer ?? '', [...asUser, file], { stdio: 'ignore' });
  await listens(port, () => child.exitCode !== null);
  return {
    url: Object.assign(new URL(databaseUrl), { port: String(port), search: '?pgbouncer=true' }).href,
    stop: async () => {
      await kill(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
