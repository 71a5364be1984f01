import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { overrideEnv } from '@/server/platform/env';
import { removeExpired } from '@/server/platform/jobs/expiry';
import { log } from '@/server/platform/log';
import { takeFromProcess } from '@/server/platform/process-globals';
import { removals } from '@/server/registry';
import { withFreshDatabase } from '@/server/testing/database';
import { closeSecurityLog, flushSecurityLog, noteSecurityEvent, type SecurityEvent } from './security-log';

withFreshDatabase({ LOG_LEVEL: 'info' });

const lines: string[] = [];

beforeAll(() => {
  vi.spyOn(pino, 'destination').mockReturnValue({ write: (line: string) => lines.push(line), on: () => undefined } as never);
  for (const name of ['log', 'security-log']) takeFromProcess(name);
  log();
});

beforeEach(async () => {
  await closeSecurityLog();
  await pool().query('DELETE FROM security_events');
  lines.length = 0;
});

afterAll(() => closeSecurityLog());

const failed: SecurityEvent = {
  kind: 'sign_in_failed',
  reason: 'wrong_password',
  userId: randomUUID(),
  account: 'ann@quark.example',
  address: '203.0.113.7',
};

interface Row {
  kind: string;
  reason: string;
  account: string | null;
  address: string;
  subject: string | null;
  request_id: string | null;
  user_id: string | null;
  count: number;
}

const stored = () =>
  rows<Row>(pool(), { text: 'SELECT * FROM security_events ORDER BY reason DESC, count DESC, id', values: [] });
const noted = async () => {
  await flushSecurityLog();
  return stored();
};

/** Runs `work` within one minute. */
async function withinAMinute<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 60_000) * 60_000 + 1_000 });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}

describe('an event', () => {
  test('is a line of its own stream, and a row', async () => {
    noteSecurityEvent({ ...failed, requestId: 'r-1' });
    log().flush();
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { stream: 'security', ...failed, requestId: 'r-1', msg: 'refused' },
    ]);
    expect(await noted()).toMatchObject([
      { kind: failed.kind, reason: failed.reason, account: failed.account, address: failed.address, request_id: 'r-1', count: 1 },
    ]);
  });

  test('repeated in one minute is counted in one row, also from another server, and in another minute in another', async () => {
    await withinAMinute(async () => {
      for (let i = 1; i <= 50; i++) noteSecurityEvent({ ...failed, requestId: `r-${i}` });
      await flushSecurityLog();
      takeFromProcess('security-log');
      for (let i = 51; i <= 60; i++) noteSecurityEvent({ ...failed, requestId: `r-${i}` });
      noteSecurityEvent({ ...failed, reason: 'unknown_account' });
      expect(await noted()).toMatchObject([
        { reason: 'wrong_password', count: 60, request_id: 'r-60' },
        { reason: 'unknown_account', count: 1 },
      ]);
      vi.setSystemTime(Date.now() + 60_000);
      noteSecurityEvent(failed);
      expect(await noted()).toHaveLength(3);
    });
  });

  test('of throttling is one line a minute and cause, and every one is counted', async () => {
    await withinAMinute(async () => {
      const throttled = { ...failed, kind: 'rate_limited', reason: 'rate_limit_exceeded' } as const;
      for (let i = 1; i <= 50; i++) noteSecurityEvent({ ...throttled, requestId: `r-${i}` });
      noteSecurityEvent({ ...throttled, address: '192.0.2.99' });
      expect(lines).toHaveLength(2);
      expect(await noted()).toMatchObject([{ count: 50, request_id: 'r-50' }, { count: 1 }]);
      vi.setSystemTime(Date.now() + 60_000);
      noteSecurityEvent(throttled);
      expect(lines).toHaveLength(3);
    });
  });

  test('of a flood from everywhere takes a bounded number of rows, and none is uncounted', async () => {
    await withinAMinute(async () => {
      for (let i = 0; i < 5_000; i++)
        noteSecurityEvent({ ...failed, userId: randomUUID(), address: `2001:db8::${i.toString(16)}` });
      const found = await noted();
      expect(found.length).toBeLessThanOrEqual(701);
      expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(5_000);
      expect(found.filter(({ address }) => address !== 'various')).toHaveLength(500);
      expect(found.find(({ user_id }) => user_id === null)).toMatchObject({ address: 'various', account: null });
    });
    expect(lines).toHaveLength(5_000);
  });

  test('about an account is not hidden by a flood about others', async () => {
    await withinAMinute(async () => {
      for (let i = 0; i < 2_000; i++)
        noteSecurityEvent({
          ...failed,
          userId: null,
          account: `nobody${i}@nowhere.example`,
          address: `2001:db8::${i.toString(16)}`,
        });
      const [attacked, other] = [randomUUID(), randomUUID()];
      for (let i = 0; i < 3; i++) noteSecurityEvent({ ...failed, userId: attacked, address: `192.0.2.${i}` });
      noteSecurityEvent({
        ...failed,
        kind: 'sign_in_throttled',
        reason: 'too_many_attempts',
        userId: attacked,
        address: '192.0.2.9',
      });
      noteSecurityEvent({ ...failed, userId: other, address: '192.0.2.10' });
      const addressesOf = (kind: string, userId: string, found: Awaited<ReturnType<typeof noted>>) =>
        found.filter((row) => row.kind === kind && row.user_id === userId).map(({ address }) => address);
      const found = await noted();
      expect(addressesOf(failed.kind, attacked, found)).toContain('192.0.2.0');
      expect(addressesOf('sign_in_throttled', attacked, found)).toEqual(['192.0.2.9']);
      expect(addressesOf(failed.kind, other, found)).toEqual(['192.0.2.10']);
    });
  });

  test('holds nothing that could be a password, nor what can’t be stored', async () => {
    noteSecurityEvent({ ...failed, account: 'hunter2 the password' });
    noteSecurityEvent({ ...failed, subject: 'a\0b\ud800c', address: 'x'.repeat(5_000) });
    const found = await noted();
    expect(found).toHaveLength(2);
    expect(found).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ account: null, address: failed.address }),
        expect.objectContaining({ subject: 'abc', address: 'x'.repeat(100) }),
      ]),
    );
    expect(lines.join('')).not.toContain('hunter2');
  });
});

describe('while the database is away', () => {
  test('events wait, and are written once it is back', async () => {
    vi.spyOn(pool(), 'query').mockImplementationOnce(() => Promise.reject(new Error('away')) as never);
    noteSecurityEvent(failed);
    await flushSecurityLog();
    expect(await stored()).toEqual([]);
    expect(await noted()).toMatchObject([{ count: 1 }]);
  });
});

test('what is written is there, also where a slower writing began before', async () => {
  const slow = pool().query('SELECT pg_sleep(0.5)');
  const query = pool().query.bind(pool());
  vi.spyOn(pool(), 'query').mockImplementationOnce((async (statement: never) => {
    await slow;
    return query(statement);
  }) as never);
  noteSecurityEvent(failed);
  const first = flushSecurityLog();
  await flushSecurityLog();
  expect(await stored()).toMatchObject([{ count: 1 }]);
  await first;
});

test('however often it is flushed while the database hangs, one writing waits for the one under way', async () => {
  let giveUp: () => void = () => undefined;
  const hanging = new Promise<void>((_resolve, reject) => {
    giveUp = () => reject(new Error('away'));
  });
  const query = vi.spyOn(pool(), 'query').mockImplementation((() => hanging) as never);
  const flushes = Array.from({ length: 10 }, () => {
    noteSecurityEvent(failed);
    return flushSecurityLog();
  });
  await expect.poll(() => query.mock.calls.length).toBe(1);
  noteSecurityEvent(failed);
  flushes.push(...Array.from({ length: 10 }, flushSecurityLog));
  giveUp();
  await Promise.all(flushes);
  expect(query).toHaveBeenCalledTimes(2);
  query.mockRestore();
  expect(await noted()).toMatchObject([{ count: 11 }]);
});

test('noting takes no time that a request could feel', () => {
  const timeOf = (count: number) => {
    const from = performance.now();
    for (let i = 0; i < count; i++) noteSecurityEvent(failed);
    return (performance.now() - from) / count;
  };
  // The quickest of several, as another process may take the processor away.
  expect(Math.min(...Array.from({ length: 20 }, () => timeOf(100)))).toBeLessThan(0.5);
});

test('events go after the days of the settings', async () => {
  noteSecurityEvent(failed);
  noteSecurityEvent({ ...failed, reason: 'recent' });
  await flushSecurityLog();
  await pool().query(`UPDATE security_events SET last_at = now() - interval '40 days' WHERE reason = 'wrong_password'`);
  await removeExpired(removals);
  expect(await stored()).toHaveLength(2);
  overrideEnv({ SECURITY_LOG_RETENTION_DAYS: 30 });
  await removeExpired(removals);
  overrideEnv({ SECURITY_LOG_RETENTION_DAYS: 90 });
  expect(await stored()).toMatchObject([{ reason: 'recent' }]);
});
