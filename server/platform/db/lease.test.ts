import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { withFreshDatabase } from '@/server/testing/database';
import { closeLeases, withLease } from './lease';
import { pool } from './pool';

withFreshDatabase();

afterAll(closeLeases);

/** A connection of another process that holds the lease of `key`. */
async function heldElsewhere(key: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: pool().options.connectionString });
  await client.connect();
  await client.query('SELECT pg_advisory_lock(hashtextextended($1, 1))', [key]);
  return client;
}

describe('a lease', () => {
  test('is held by one at a time in this process, and free again afterwards', async () => {
    let running = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++running);
      await pool().query('SELECT 1');
      running--;
      return 'done';
    };
    const results = await Promise.all(Array.from({ length: 10 }, () => withLease('one', work)));
    expect(results.filter((result) => result === 'done')).toHaveLength(1);
    expect(most).toBe(1);
    expect(await withLease('one', work)).toBe('done');
  });

  test('of one thing says nothing about another', async () => {
    expect(await withLease('a', () => withLease('b', async () => 'both'))).toBe('both');
  });

  test('is not given while another process has it, and is the moment that process is gone', async () => {
    const other = await heldElsewhere('theirs');
    expect(await withLease('theirs', async () => 'mine')).toBeUndefined();
    await other.end();
    await expect.poll(() => withLease('theirs', async () => 'mine')).toBe('mine');
  });

  test('ends with work that fails', async () => {
    const failing = withLease('failing', async () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await withLease('failing', async () => 'again')).toBe('again');
  });

  test('is taken anew after the connection was lost', async () => {
    await withLease('lost', async () => {
      await pool().query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'frontdesk-leases' AND datname = current_database()`,
      );
    });
    await expect.poll(() => withLease('lost', async () => 'again').catch(() => null)).toBe('again');
  });

  test('fails in time where its connection hangs, and the next one has another', async () => {
    const pidOf = `SELECT pid FROM pg_stat_activity WHERE application_name = 'frontdesk-leases' AND datname = current_database()`;
    await withLease('hanging', async () => undefined);
    const { rows } = await pool().query<{ pid: number }>(pidOf);
    const pid = rows[0]?.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    try {
      const waiting = [withLease('hanging', async () => 'no'), withLease('behind', async () => 'no')];
      for (const result of await Promise.allSettled(waiting)) expect(result.status).toBe('rejected');
      expect(await withLease('other', async () => 'yes')).toBe('yes');
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  });
});
