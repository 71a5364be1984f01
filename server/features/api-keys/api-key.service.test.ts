import { describe, expect, test } from 'vitest';
import { hashApiKeyToken, isWellFormedApiKeyToken } from '@/server/platform/auth/api-key-token';
import { countNoticedChange } from '@/server/platform/auth/sign-in-throttle';
import { pool } from '@/server/platform/db/pool';
import { fieldErrorsOf } from '@/server/platform/fields.schema';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { createAgent, updateAgent } from '../agents/agent.service';
import { apiKeySchema, createApiKeyInput, rotateApiKeyInput } from './api-key.schema';
import {
  createApiKey,
  createApiKeyForHandle,
  listApiKeys,
  revokeApiKey,
  revokeApiKeyById,
  rotateApiKey,
} from './api-key.service';

withFreshDatabase();

const hour = 3_600_000;
const unknownId = '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50';
const inTheFuture = (hours: number) => new Date(Date.now() + hours * hour).toISOString();

/** Adds keys that work. */
async function addKeys(identityId: string, count: number): Promise<void> {
  await pool().query(
    `INSERT INTO api_keys (id, identity_id, name, hash, prefix, last4)
      SELECT gen_random_uuid(), $1::uuid, 'k', decode(md5(i::text || $1::uuid::text), 'hex'), 'p', 'l' FROM generate_series(1, $2) i`,
    [identityId, count],
  );
}

describe('creating', () => {
  test('shows the token once and stores its hash only', async () => {
    const { actor } = await createTestIdentity();
    const { key, apiKey } = await createApiKey(actor, { name: ' CRM sync ', expiresAt: null });
    expect(isWellFormedApiKeyToken(key)).toBe(true);
    expect(apiKeySchema.parse(apiKey)).toEqual(apiKey);
    expect(apiKey).toMatchObject({ name: 'CRM sync', last4: key.slice(-4), expiresAt: null, lastUsedAt: null, revokedAt: null });
    const { rows } = await pool().query('SELECT * FROM api_keys WHERE id = $1', [apiKey.id]);
    expect(rows[0].hash).toEqual(hashApiKeyToken(key));
    expect(JSON.stringify(rows)).not.toContain(key.slice(12, -4));
    expect(JSON.stringify(await listApiKeys(actor))).not.toContain(key.slice(12, -4));
  });

  test('is limited for an account in all its businesses, since each key is a mail to the owners', async () => {
    const { actor, owner } = await createTestIdentity();
    const second = await createTestIdentity({ ownerEmail: owner.email, existingOwner: true });
    const { apiKey } = await createApiKey(actor, { name: 'First', expiresAt: null });
    for (let i = 0; i < 60; i++) await countNoticedChange(owner.userId);
    const refused = { code: 'rate_limit_exceeded', headers: { 'Retry-After': expect.any(String) } };
    await expect(createApiKey(second.actor, { name: 'One more', expiresAt: null })).rejects.toMatchObject(refused);
    await expect(rotateApiKey(actor, { id: apiKey.id, overlapHours: 0 })).rejects.toMatchObject(refused);
    await createApiKey({ kind: 'system', identityId: actor.identityId }, { name: 'By the operator', expiresAt: null });
  });

  test('with an expiry that has passed is refused', async () => {
    const { actor } = await createTestIdentity();
    const past = createApiKey(actor, { name: 'x', expiresAt: new Date(Date.now() - 1).toISOString() });
    await expect(past).rejects.toMatchObject({ details: { fields: { expiresAt: 'must be in the future' } } });
    const expiresAt = '2099-01-01T01:00:00+01:00';
    expect((await createApiKey(actor, { name: 'x', expiresAt })).apiKey.expiresAt).toBe('2099-01-01T00:00:00.000Z');
  });

  test.each([
    { name: '' },
    { name: ' ' },
    { name: 'x'.repeat(101) },
    {},
    { name: 'x', expiresAt: 'tomorrow' },
    { name: 'x', expiresAt: '2099-01-01' },
  ])('with %j is refused', (input) => {
    expect(createApiKeyInput.safeParse(input).success).toBe(false);
  });

  test('has full access and no agent unless it says otherwise', async () => {
    const { actor } = await createTestIdentity();
    const { apiKey } = await createApiKey(actor, createApiKeyInput.parse({ name: 'x' }));
    expect(apiKey).toMatchObject({ scopes: ['*'], agentId: null, agent: null });
    const scopes = ['usage:read', 'customers:write', 'usage:read'];
    const scoped = await createApiKey(actor, createApiKeyInput.parse({ name: 'x', scopes }));
    expect(scoped.apiKey.scopes).toEqual(['customers:write', 'usage:read']);
    expect(createApiKeyInput.parse({ name: 'x', scopes: ['*', 'blog:read'] }).scopes).toEqual(['*']);
  });

  test.each([
    [['customers:read', 'mails:read'], { 'scopes.1': 'is not a scope: "mails:read"' }],
    [[5], { 'scopes.0': 'is not a scope: 5' }],
    [[], { scopes: 'must name at least one scope' }],
  ])('with the scopes %j is refused, naming the field', (scopes, fields) => {
    const { error } = createApiKeyInput.safeParse({ name: 'x', scopes });
    expect(error && fieldErrorsOf(error)).toEqual(fields);
  });

  test('for an agent wants one of this business that is not archived', async () => {
    const [one, two] = [await createTestIdentity(), await createTestIdentity()];
    const { id: agentId } = await createAgent(one.actor, { name: 'Mara', roleId: 'mara', kind: 'assistant' });
    const { apiKey } = await createApiKey(one.actor, { name: 'x', expiresAt: null, agentId });
    const ofMara = { agentId, agent: { name: 'Mara', status: 'active' } };
    expect(apiKey).toMatchObject(ofMara);
    expect((await listApiKeys(one.actor))[0]).toMatchObject(ofMara);
    const refused = (reason: string) => ({ details: { fields: { agentId: reason } } });
    const foreign = createApiKey(two.actor, { name: 'x', expiresAt: null, agentId });
    await expect(foreign).rejects.toMatchObject(refused('is not an agent of this business'));
    await updateAgent(one.actor, { agentId, status: 'archived' });
    const archived = createApiKey(one.actor, { name: 'x', expiresAt: null, agentId });
    await expect(archived).rejects.toMatchObject(refused('is an archived agent'));
  });

  test('ends at a hundred that work; revoking makes room', async () => {
    const { actor, identityId, apiKeyActor } = await createTestIdentity();
    await addKeys(identityId, 99);
    await expect(createApiKey(actor, { name: 'x', expiresAt: null })).rejects.toMatchObject({ code: 'conflict' });
    await revokeApiKey(actor, apiKeyActor.apiKeyId);
    expect(await createApiKey(actor, { name: 'x', expiresAt: null })).toBeTruthy();
    await expect(createApiKey(actor, { name: 'x', expiresAt: null })).rejects.toMatchObject({ code: 'conflict' });
    await pool().query(`UPDATE api_keys SET expires_at = now() WHERE identity_id = $1 AND name = 'k'`, [identityId]);
    expect(await createApiKey(actor, { name: 'x', expiresAt: null })).toBeTruthy();
  });

  test('ends at a hundred also for many at the same time', async () => {
    const { actor, identityId } = await createTestIdentity();
    await addKeys(identityId, 98);
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => createApiKey(actor, { name: 'x', expiresAt: null })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'conflict' });
  });

  test('from the command line is by handle', async () => {
    const { handle, actor } = await createTestIdentity();
    const { id, key, expiresAt } = await createApiKeyForHandle(handle, { name: 'cli', expiresAt: null });
    expect(isWellFormedApiKeyToken(key)).toBe(true);
    expect(expiresAt).toBeNull();
    expect((await listApiKeys(actor)).map((apiKey) => apiKey.id)).toContain(id);
    await expect(createApiKeyForHandle('nobody', { name: 'x', expiresAt: null })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the list', () => {
  test('has what works first, newest first, then what is revoked; nothing of others', async () => {
    const { actor, apiKeyActor } = await createTestIdentity();
    await createTestIdentity();
    const a = await createApiKey(actor, { name: 'a', expiresAt: null });
    const b = await createApiKey(actor, { name: 'b', expiresAt: null });
    await revokeApiKey(actor, b.apiKey.id);
    await revokeApiKey(actor, apiKeyActor.apiKeyId);
    const c = await createApiKey(actor, { name: 'c', expiresAt: null });
    expect((await listApiKeys(actor)).map(({ id }) => id)).toEqual([c.apiKey.id, a.apiKey.id, apiKeyActor.apiKeyId, b.apiKey.id]);
  });
});

describe('rotating', () => {
  async function rotated(overlapHours?: number, expiresAt: string | null = null) {
    const { actor } = await createTestIdentity();
    const old = await createApiKey(actor, { name: 'CRM', expiresAt });
    const fresh = await rotateApiKey(actor, rotateApiKeyInput.parse({ id: old.apiKey.id, overlapHours }));
    const after = (await listApiKeys(actor)).find(({ id }) => id === old.apiKey.id);
    return { actor, old, fresh, after };
  }

  test('gives a successor of the same name; the old one lives on for a day', async () => {
    const { old, fresh, after } = await rotated();
    expect(fresh.key).not.toBe(old.key);
    expect(fresh.apiKey).toMatchObject({ name: 'CRM', expiresAt: null, revokedAt: null });
    expect(after?.revokedAt).toBeNull();
    const lives = Date.parse(after?.expiresAt ?? '') - Date.now();
    expect(lives).toBeGreaterThan(23.9 * hour);
    expect(lives).toBeLessThanOrEqual(24 * hour);
  });

  test('keeps the scopes and the agent', async () => {
    const { actor } = await createTestIdentity();
    const { id: agentId } = await createAgent(actor, { name: 'Mara', roleId: 'mara', kind: 'assistant' });
    const input = { name: 'x', expiresAt: null, scopes: ['blog:write' as const], agentId };
    const { apiKey } = await createApiKey(actor, input);
    const fresh = await rotateApiKey(actor, { id: apiKey.id, overlapHours: 24 });
    expect(fresh.apiKey).toMatchObject({ scopes: ['blog:write'], agentId, agent: { name: 'Mara' } });
  });

  test('with no overlap ends the old one at once', async () => {
    const { after } = await rotated(0);
    expect(after?.revokedAt).not.toBeNull();
  });

  test('with a week’s overlap is the longest', async () => {
    const { after } = await rotated(168);
    expect(Date.parse(after?.expiresAt ?? '') - Date.now()).toBeGreaterThan(167.9 * hour);
    for (const overlapHours of [169, -1, 1.5, '24', null]) {
      expect(rotateApiKeyInput.safeParse({ id: unknownId, overlapHours }).success).toBe(false);
    }
  });

  test('never prolongs the old one', async () => {
    const expiresAt = inTheFuture(2);
    const { fresh, after } = await rotated(24, expiresAt);
    expect(after?.expiresAt).toBe(expiresAt);
    expect(fresh.apiKey.expiresAt).toBe(expiresAt);
  });

  test('one that no longer works is refused', async () => {
    const { actor, old } = await rotated(0);
    await expect(rotateApiKey(actor, { id: old.apiKey.id, overlapHours: 24 })).rejects.toMatchObject({ code: 'conflict' });
    await pool().query(`UPDATE api_keys SET revoked_at = NULL, expires_at = now() - interval '1 second' WHERE id = $1`, [
      old.apiKey.id,
    ]);
    await expect(rotateApiKey(actor, { id: old.apiKey.id, overlapHours: 24 })).rejects.toMatchObject({ code: 'conflict' });
  });

  test('with an overlap ends at two hundred that work, also at the same time', async () => {
    const { actor, identityId } = await createTestIdentity();
    await addKeys(identityId, 198);
    const ids = (await listApiKeys(actor)).slice(0, 20).map(({ id }) => id);
    const results = await Promise.allSettled(ids.map((id) => rotateApiKey(actor, { id, overlapHours: 24 })));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'conflict' });
    expect(await rotateApiKey(actor, { id: ids[19] ?? '', overlapHours: 0 })).toBeTruthy();
  });

  test('at the same time with no overlap happens once', async () => {
    const { actor } = await createTestIdentity();
    const { apiKey } = await createApiKey(actor, { name: 'x', expiresAt: null });
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, () => rotateApiKey(actor, { id: apiKey.id, overlapHours: 0 })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await listApiKeys(actor)).filter(({ name }) => name === 'x')).toHaveLength(2);
  });
});

describe('revoking', () => {
  test('is for good, and again changes nothing', async () => {
    const { actor, apiKeyActor } = await createTestIdentity();
    const first = await revokeApiKey(actor, apiKeyActor.apiKeyId);
    expect(first.revokedAt).not.toBeNull();
    expect(await revokeApiKey(actor, apiKeyActor.apiKeyId)).toEqual(first);
    expect(await revokeApiKeyById(apiKeyActor.apiKeyId)).toEqual({ id: first.id, revokedAt: first.revokedAt });
  });

  test('or rotating a foreign or unknown one finds nothing and leaves it alone', async () => {
    const [one, two] = [await createTestIdentity(), await createTestIdentity()];
    for (const id of [two.apiKeyActor.apiKeyId, unknownId]) {
      await expect(revokeApiKey(one.actor, id)).rejects.toMatchObject({ code: 'not_found' });
      await expect(rotateApiKey(one.actor, { id, overlapHours: 0 })).rejects.toMatchObject({ code: 'not_found' });
    }
    await expect(revokeApiKeyById(unknownId)).rejects.toMatchObject({ code: 'not_found' });
    expect((await listApiKeys(two.actor)).map(({ revokedAt }) => revokedAt)).toEqual([null]);
  });
});
