import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { closeConnection } from '@/server/platform/db/connection';
import { openConnection } from '@/server/platform/db/own-connection';
import { pool } from '@/server/platform/db/pool';
import { silenceLimits } from '@/server/platform/db/silent-connections';
import { env } from '@/server/platform/env';
import { withFreshDatabase } from '@/server/testing/database';
import { connect } from '@/server/testing/empty-installation';
import { makeHangingFile } from '@/server/testing/hanging-file';
import { createTestIdentity } from '@/server/testing/identity';
import { createRecords } from '@/server/testing/operations';
import { Stalled, settleWithin, watchProgress } from './progress';
import { openBackup } from './restore-backup';
import { takeBackup } from './take-backup';

withFreshDatabase();

describe('a watch over work', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('ends it after 60 s in which nothing moved, and not before', () => {
    const stop = new AbortController();
    const progress = watchProgress(stop);
    vi.advanceTimersByTime(59_000);
    progress.moved();
    vi.advanceTimersByTime(59_000);
    expect(stop.signal.aborted).toBe(false);
    vi.advanceTimersByTime(5_000);
    expect(stop.signal.reason).toBeInstanceOf(Stalled);
    expect((stop.signal.reason as Error).message).toMatch(/^Given up: no progress for 60 s\. /);
    progress.end();
  });

  test('is over with the work', () => {
    const stop = new AbortController();
    watchProgress(stop).end();
    vi.advanceTimersByTime(120_000);
    expect(stop.signal.aborted).toBe(false);
  });

  test('lets work end by itself that was told to stop, and waits no longer than that', async () => {
    const stop = new AbortController();
    const orderly = settleWithin(stop.signal, new Promise((resolve) => setTimeout(resolve, 900, 'undone')), 1_000);
    const hanging = settleWithin(stop.signal, new Promise(() => undefined), 1_000);
    const late = expect(hanging).rejects.toThrow('told to');
    stop.abort(new Error('told to'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await orderly).toBe('undone');
    await late;
  });
});

describe('the database', () => {
  const patience = silenceLimits.patience;
  beforeEach(() => {
    silenceLimits.patience = 200;
  });
  afterEach(() => {
    silenceLimits.patience = patience;
  });

  async function watched(work: (client: Awaited<ReturnType<typeof openConnection>>) => Promise<unknown>, limit: number) {
    const stop = new AbortController();
    const progress = watchProgress(stop, limit);
    const url = env().DATABASE_URL ?? '';
    const client = await openConnection({ url, applicationName: 'test', signal: stop.signal, onActive: progress.moved });
    try {
      return await work(client).then(
        () => 'done',
        () => stop.signal.reason,
      );
    } finally {
      progress.end();
      await closeConnection(client);
    }
  }

  test('may work on a statement without a time limit', async () => {
    expect(await watched((client) => client.query('SELECT pg_sleep(5)'), 3_000)).toBe('done');
  });

  test('does not wait for ever for a lock that someone else holds', async () => {
    const other = await connect(env().DATABASE_URL ?? '');
    await other.query('SELECT pg_advisory_lock(7)');
    expect(await watched((client) => client.query('SELECT pg_advisory_lock(7)'), 1_000)).toBeInstanceOf(Stalled);
    await other.end();
  });
});

describe('a disk that hangs', () => {
  let directory = '';

  beforeEach(async () => {
    directory = await mkdtemp(path.join(inject('testDirectory'), 'hanging-'));
  });

  test('ends a backup, which leaves nothing and gives back what it held', async () => {
    await createRecords(await createTestIdentity());
    const { rows } = await pool().query<{ sha256: string }>('SELECT sha256 FROM attachments');
    const sha256 = rows[0]?.sha256 ?? '';
    const stored = path.join(env().DATA_DIR, 'files', sha256.slice(0, 2), sha256);
    await rename(stored, `${stored}.away`);
    const hanging = await makeHangingFile(stored);
    const stop = new AbortController();
    const progress = watchProgress(stop, 1_000);
    const url = env().DATABASE_URL ?? '';
    const client = await openConnection({ url, applicationName: 'test', signal: stop.signal, onActive: progress.moved });
    try {
      await expect(takeBackup(client, { file: path.join(directory, 'a.tar'), version: '1', progress })).rejects.toThrow();
      expect(stop.signal.reason).toBeInstanceOf(Stalled);
      expect(await readdir(directory)).toEqual([]);
      const heldLocks = `SELECT 1 FROM pg_locks JOIN pg_database ON oid = database WHERE datname = current_database() AND locktype = 'advisory'`;
      const locks = async () => (await pool().query(heldLocks)).rowCount;
      await expect.poll(locks).toBe(0);
    } finally {
      progress.end();
      await closeConnection(client);
      await hanging.release();
      await rm(stored);
      await rename(`${stored}.away`, stored);
    }
  });

  test('ends the reading of a backup', async () => {
    const file = path.join(directory, 'a.tar');
    const hanging = await makeHangingFile(file);
    const stop = new AbortController();
    const progress = watchProgress(stop, 500);
    await expect(settleWithin(stop.signal, openBackup(file, progress), 100)).rejects.toBeInstanceOf(Stalled);
    progress.end();
    await hanging.release();
  });
});
