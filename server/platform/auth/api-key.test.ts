import { afterEach, describe, expect, test, vi } from 'vitest';
import { createApiKey, listApiKeys, revokeApiKey } from '@/server/features/api-keys/api-key.service';
import { setPlan } from '@/server/features/identity/identity.service';
import { pool } from '@/server/platform/db/pool';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { watchStatements } from '@/server/testing/statements';
import { authenticateApiKey } from './api-key';
import { generateApiKeyToken } from './api-key-token';

withFreshDatabase();

afterEach(() => {
  vi.useRealTimers();
});

/** Stops the clock used for expiry, in Unix milliseconds; the database's clock continues. */
function stopClockAt(now: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now });
}

/** Advances the clock for expiry and the separate clock of the key cache. */
function passTime(milliseconds: number): void {
  stopClockAt(Date.now() + milliseconds);
  const later = performance.now() + milliseconds;
  vi.spyOn(performance, 'now').mockReturnValue(later);
}

const bearer = (key: string) => authenticateApiKey(`Bearer ${key}`);

function refusal(code: string) {
  return {
    code,
    status: 401,
    title: 'Unauthorized',
    message: 'Invalid or expired API key',
    headers: { 'WWW-Authenticate': 'Bearer' },
  };
}

describe('a key', () => {
  test('acts for its identity, on its plan', async () => {
    const { key, apiKeyActor } = await createTestIdentity({ plan: 'small_business' });
    expect(await bearer(key)).toEqual(apiKeyActor);
    expect(await authenticateApiKey(`bearer   ${key} `)).toEqual(apiKeyActor);
    expect(apiKeyActor.plan).toBe('small_business');
  });

  test('that is missing', async () => {
    for (const header of [null, '']) await expect(authenticateApiKey(header)).rejects.toMatchObject(refusal('missing_key'));
  });

  test('that is none, or in another scheme, is not valid', async () => {
    const { key } = await createTestIdentity();
    const headers = [
      key,
      `Basic ${key}`,
      'Bearer',
      'Bearer ',
      `Bearer ${key}, Bearer ${key}`,
      `Bearer "${key}"`,
      `Bearer ${key.toUpperCase()}`,
      'Bearer null',
      `Token ${key}`,
    ];
    for (const header of headers) await expect(authenticateApiKey(header), header).rejects.toMatchObject(refusal('invalid_key'));
  });

  test('that was never issued is not valid, however often it is tried', async () => {
    const key = generateApiKeyToken();
    for (let i = 0; i < 3; i++) await expect(bearer(key)).rejects.toMatchObject(refusal('invalid_key'));
  });

  test('that expires stops to the millisecond, also while it is remembered', async () => {
    const { actor } = await createTestIdentity();
    const expiresAt = new Date(Date.now() + 60_000);
    const { key } = await createApiKey(actor, { name: 'x', expiresAt: expiresAt.toISOString() });
    expect(await bearer(key)).toBeTruthy();
    stopClockAt(expiresAt.getTime() - 1);
    expect(await bearer(key)).toBeTruthy();
    passTime(1);
    await expect(bearer(key)).rejects.toMatchObject(refusal('expired_key'));
  });

  test('that is revoked stops within one second', async () => {
    const { actor, key, apiKeyActor } = await createTestIdentity();
    expect(await bearer(key)).toBeTruthy();
    await revokeApiKey(actor, apiKeyActor.apiKeyId);
    passTime(999);
    await expect(bearer(key)).rejects.toMatchObject(refusal('revoked_key'));
  });

  test('that is revoked and expired is revoked', async () => {
    const { key, apiKeyActor } = await createTestIdentity();
    await pool().query(`UPDATE api_keys SET revoked_at = now(), expires_at = now() - interval '1 hour' WHERE id = $1`, [
      apiKeyActor.apiKeyId,
    ]);
    await expect(bearer(key)).rejects.toMatchObject(refusal('revoked_key'));
  });

  test('follows its identity to another plan within one second', async () => {
    const { key, handle } = await createTestIdentity({ plan: 'free' });
    expect(await bearer(key)).toMatchObject({ plan: 'free' });
    await setPlan(handle, 'enterprise');
    passTime(999);
    expect(await bearer(key)).toMatchObject({ plan: 'enterprise' });
  });

  test('is looked up once for many calls at the same time', async () => {
    const { key } = await createTestIdentity();
    const statements = watchStatements();
    await Promise.all(Array.from({ length: 50 }, () => bearer(key)));
    expect(statements.names().filter((name) => name === 'api-key')).toHaveLength(1);
  });

  test('is looked up again after a look-up that failed', async () => {
    const { key } = await createTestIdentity();
    vi.spyOn(pool(), 'query').mockImplementationOnce(() => Promise.reject(new Error('lost')) as never);
    await expect(bearer(key)).rejects.toThrow('lost');
    expect(await bearer(key)).toBeTruthy();
  });
});

describe('the last use', () => {
  async function lastUsed(key: { identityId: string; actor: Parameters<typeof listApiKeys>[0] }) {
    return (await listApiKeys(key.actor))[0]?.lastUsedAt ?? null;
  }

  test('is noted', async () => {
    const identity = await createTestIdentity();
    expect(await lastUsed(identity)).toBeNull();
    await bearer(identity.key);
    await expect.poll(() => lastUsed(identity)).not.toBeNull();
  });

  test('is noted once a minute at most', async () => {
    const identity = await createTestIdentity();
    await bearer(identity.key);
    await expect.poll(() => lastUsed(identity)).not.toBeNull();
    const first = await lastUsed(identity);
    const statements = watchStatements();
    passTime(2_000);
    await bearer(identity.key);
    expect(statements.names()).toEqual(['api-key']);
    expect(await lastUsed(identity)).toBe(first);
  });

  test('is not noted for a key that was refused', async () => {
    const identity = await createTestIdentity();
    await revokeApiKey(identity.actor, identity.apiKeyActor.apiKeyId);
    const statements = watchStatements();
    await expect(bearer(identity.key)).rejects.toMatchObject(refusal('revoked_key'));
    expect(statements.names()).toEqual(['api-key']);
  });
});
