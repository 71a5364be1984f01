import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '@/server/platform/db/embedded-postgres';

/**
 * Runs PostgreSQL for the parent process, in a temporary folder. It prints its address as one line of JSON, and stops and
 * cleans up when its input ends: the operating system guarantees that however the parent ends, including kill -9.
 */

/** Durability costs most of the time of a test that writes, and a test's database never has to survive a crash. */
const fastSettings = ['fsync', 'synchronous_commit', 'full_page_writes'];

async function speedUp(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const name of fastSettings) await client.query(`ALTER SYSTEM SET ${name} = off`);
    await client.query('SELECT pg_reload_conf()');
  } finally {
    await client.end();
  }
}

async function inputEnds(): Promise<void> {
  return new Promise((resolve) => {
    process.stdin.on('close', resolve).on('error', () => undefined);
    process.stdin.resume();
  });
}

async function main(): Promise<void> {
  const ended = inputEnds();
  const directory = await mkdtemp(path.join(os.tmpdir(), 'frontdesk-test-'));
  try {
    await chmod(directory, 0o711); // As root, PostgreSQL runs as another user, who needs access to the folder.
    const { url, stop } = await startEmbeddedPostgres({ dataDir: directory, holder: 'frontdesk' });
    try {
      await speedUp(url);
      process.stdout.on('error', () => undefined).write(`${JSON.stringify({ url, directory })}\n`);
      await ended;
    } finally {
      await stop();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

// Ctrl-C in the terminal is for the parent process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

main().catch((error: Error) => {
  process.stderr.write(`${error.stack ?? error.message}\n`);
  process.exitCode = 1;
});
