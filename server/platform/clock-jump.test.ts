import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { revokeApiKey } from '../features/api-keys/api-key.service';
import { fileSweep } from '../features/mail/file-sweep.service';
import { removals } from '../registry';
import { withFreshDatabase } from '../testing/database';
import { createTestIdentity, type TestIdentity } from '../testing/identity';
import { running } from '../testing/jobs';
import { withHttpServer } from '../testing/rest';
import { sessionCookieOf } from '../testing/session';
import { authenticateApiKey } from './auth/api-key';
import { readSession } from './auth/session';
import { countSignInAttempt, resetSignInAttempts } from './auth/sign-in-throttle';
import { closeLeases } from './db/lease';
import { pool } from './db/pool';
import { rows } from './db/sql';
import { overrideEnv } from './env';
import { openStored, storeBytes } from './files/content-store';
import { removeExpired } from './jobs/expiry';
import { LoadingCache } from './loading-cache';
import { removeExpiredAnswers } from './operations/remove-expired-answers';
import { takeFromProcess } from './process-globals';
import { closeBurstLimit, countBurst } from './rest/burst-limit';

/**
 * How limits and retention behave when a clock is set. Only the server's clock can be set here, so rows are written as a
 * changed database clock would leave them. Jobs, mail and reminders have similar files next to their code.
 */

withFreshDatabase();
const call = withHttpServer();

const minute = 60_000;
const day = 24 * 60 * minute;

beforeEach(() => {
  takeFromProcess('database-clock');
});

afterEach(() => {
  vi.useRealTimers();
});

afterAll(closeLeases);

/** Sets the server's clock; timers, and so database connections, continue. */
function setClock(by: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + by });
}

async function one<Row extends Record<string, unknown>>(text: string, ...values: unknown[]): Promise<Row> {
  const [row] = await rows<Row>(pool(), { text, values });
  if (!row) throw new Error('no row');
  return row;
}

describe('what the server remembers', () => {
  test('of a key is forgotten as soon when the clock goes back: a revoked key stops', async () => {
    const { key, actor, apiKeyActor } = await createTestIdentity();
    await authenticateApiKey(`Bearer ${key}`);
    setClock(-day);
    await revokeApiKey(actor, apiKeyActor.apiKeyId);
    const later = performance.now() + 999;
    vi.spyOn(performance, 'now').mockReturnValue(later);
    await expect(authenticateApiKey(`Bearer ${key}`)).rejects.toMatchObject({ code: 'revoked_key' });
  });

  test('for a while is neither kept longer nor made again at once', async () => {
    const cache = new LoadingCache<{ text: string }>({ maximumSize: 100, sizeOf: () => 1 });
    const make = vi.fn(async () => ({ text: 'x' }));
    const monotonic = performance.now();
    await cache.get('a', make, () => minute);
    setClock(day);
    await cache.get('a', make, () => minute);
    expect(make).toHaveBeenCalledTimes(1);
    setClock(-2 * day);
    vi.spyOn(performance, 'now').mockReturnValue(monotonic + 2 * minute);
    await cache.get('a', make, () => minute);
    expect(make).toHaveBeenCalledTimes(2);
  });

  test('as the last use, under a clock that was ahead, is noted anew', async () => {
    const identity = await createTestIdentity();
    const cookie = await sessionCookieOf(identity);
    const [sessionId, keyId] = [identity.actor.sessionId, identity.apiKeyActor.apiKeyId];
    await pool().query(`UPDATE sessions SET last_seen_at = now() + interval '1 year' WHERE id = $1`, [sessionId]);
    await pool().query(`UPDATE api_keys SET last_used_at = now() + interval '1 year' WHERE id = $1`, [keyId]);
    expect(await readSession(cookie)).toMatchObject({ kind: 'session' });
    await authenticateApiKey(`Bearer ${identity.key}`);
    const isPast = (table: string, column: string, id: string) => async () =>
      (await one<{ past: boolean }>(`SELECT ${column} <= now() AS past FROM ${table} WHERE id = $1`, id)).past;
    await expect.poll(isPast('sessions', 'last_seen_at', sessionId)).toBe(true);
    await expect.poll(isPast('api_keys', 'last_used_at', keyId)).toBe(true);
  });
});

describe('a limit', () => {
  const address = () => `192.0.2.${Math.random()}`;

  async function failTimes(count: number, email: string, from: string): Promise<(number | null)[]> {
    const answers: (number | null)[] = [];
    for (let i = 0; i < count; i++) answers.push(await countSignInAttempt(email, from));
    return answers;
  }

  test('of sign-ins locks nobody out beyond its window after the database’s clock went back, and holds again from then on', async () => {
    const [email, from] = ['back@clock.example', address()];
    expect((await failTimes(11, email, from)).at(-1)).toBeGreaterThan(0);
    await pool().query(`UPDATE sign_in_throttle SET expire = expire + 86400000`);
    const answers = await failTimes(11, email, from);
    expect(answers.slice(0, 10)).toEqual(Array(10).fill(null));
    expect(answers[10]).toBeGreaterThan(0);
    expect(answers[10]).toBeLessThanOrEqual(15 * 60);
  });

  test('of sign-ins goes by one clock, whatever that of a server says', async () => {
    const [email, from] = ['two@clock.example', address()];
    expect((await failTimes(11, email, from)).at(-1)).toBeGreaterThan(0);
    for (const by of [-day, 2 * day]) {
      setClock(by);
      expect(await countSignInAttempt(email, from)).toBeGreaterThan(0);
    }
    await resetSignInAttempts(email, from);
    expect(await countSignInAttempt(email, from)).toBeNull();
  });

  test('of sign-ins is over when its window is', async () => {
    const [email, from] = ['ahead@clock.example', address()];
    await failTimes(11, email, from);
    await pool().query(`UPDATE sign_in_throttle SET expire = expire - 3600000`);
    expect(await countSignInAttempt(email, from)).toBeNull();
  });

  test('of bursts lasts a second, and names no time far away', async () => {
    const { apiKeyActor } = await createTestIdentity();
    closeBurstLimit();
    overrideEnv({ RATE_LIMIT_BURST_PER_SECOND: 2 });
    try {
      const refused = async () => {
        const results = await Promise.allSettled(Array.from({ length: 3 }, () => countBurst(apiKeyActor)));
        return results.flatMap((result) => (result.status === 'rejected' ? [Date.parse(result.reason.details.resetAt)] : []));
      };
      expect(await refused()).toHaveLength(1);
      setClock(-day);
      // The window a day ahead is dropped; the new window has its own limit.
      await countBurst(apiKeyActor);
      const resets = await refused();
      expect(resets.length).toBeGreaterThan(0);
      for (const reset of resets) expect(reset - Date.now()).toBeLessThanOrEqual(1_000);
    } finally {
      closeBurstLimit();
      overrideEnv({ RATE_LIMIT_BURST_PER_SECOND: 0 });
    }
  });

  test('of a day counts by the database’s day, and leaves another day’s count alone', async () => {
    const { key, apiKeyActor } = await createTestIdentity({ plan: 'free' });
    await pool().query(
      `INSERT INTO api_key_daily_usage SELECT $1, (now() AT TIME ZONE 'UTC')::date + n, 100 FROM generate_series(2, 3) n`,
      [apiKeyActor.apiKeyId],
    );
    setClock(2 * day);
    const answer = await call('GET', '/api/v1/identity', { key });
    expect(answer).toMatchObject({ status: 200, headers: { 'x-ratelimit-remaining': '99' } });
  });
});

describe('what is kept for a time', () => {
  const answerOf = async ({ apiKeyActor }: TestIdentity) =>
    one<{ hours: number }>(
      'SELECT extract(epoch FROM created_at - now())::float8 / 3600 AS hours FROM idempotent_requests WHERE api_key_id = $1',
      apiKeyActor.apiKeyId,
    );

  async function answered(): Promise<{ identity: TestIdentity; again: () => ReturnType<typeof call> }> {
    const identity = await createTestIdentity();
    const again = () =>
      call('POST', '/api/v1/identity/customers', {
        key: identity.key,
        json: { contacts: [{ email: 'ann@x.io' }] },
        headers: { 'idempotency-key': 'a' },
      });
    await again();
    return { identity, again };
  }

  test('an answer of a clock that was ahead is kept for a day, not for as long as it was ahead', async () => {
    const { identity, again } = await answered();
    await pool().query(`UPDATE idempotent_requests SET created_at = now() + interval '1 month'`);
    expect((await again()).headers['idempotent-replayed']).toBe('true');
    await removeExpiredAnswers();
    expect((await answerOf(identity)).hours).toBeLessThanOrEqual(0);
    expect((await again()).headers['idempotent-replayed']).toBe('true');
  });

  test('nothing is removed while server and database do not agree on the time', async () => {
    const { identity } = await answered();
    await pool().query(`UPDATE idempotent_requests SET created_at = now() - interval '2 days'`);
    await sessionCookieOf(identity);
    await pool().query(`UPDATE sessions SET last_seen_at = now() - interval '1 month' WHERE id = $1`, [identity.actor.sessionId]);
    const sessions = () =>
      one<{ count: number }>('SELECT count(*)::int AS count FROM sessions WHERE id = $1', identity.actor.sessionId);
    const sweep = () => fileSweep.run(running({}));
    const { sha256 } = await storeBytes(Buffer.from('of a transaction that has not ended'));
    setClock(3 * day);
    await removeExpiredAnswers();
    await removeExpired(removals);
    await sweep();
    expect((await answerOf(identity)).hours).toBeLessThan(-47);
    expect(await sessions()).toEqual({ count: 1 });
    const stored = await openStored(sha256);
    expect(stored).not.toBeNull();
    stored?.stream.destroy();
    vi.useRealTimers();
    await removeExpired(removals);
    expect(await sessions()).toEqual({ count: 0 });
  });

  test('a session used under a clock that was ahead has its two weeks from now on', async () => {
    const identity = await createTestIdentity();
    await sessionCookieOf(identity);
    await pool().query(`UPDATE sessions SET last_seen_at = now() + interval '1 year' WHERE id = $1`, [identity.actor.sessionId]);
    await removeExpired(removals);
    const seen = await one<{ past: boolean }>(
      'SELECT last_seen_at <= now() AS past FROM sessions WHERE id = $1',
      identity.actor.sessionId,
    );
    expect(seen.past).toBe(true);
  });
});
