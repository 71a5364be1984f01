import { beforeEach, describe, expect, test } from 'vitest';
import type { AgentDetail } from '@/server/features/agents/agent.schema';
import { createAgent, updateAgent } from '@/server/features/agents/agent.service';
import { createApiKey } from '@/server/features/api-keys/api-key.service';
import { listAuditInput } from '@/server/features/audit/audit.schema';
import { listAudit } from '@/server/features/audit/audit.service';
import { pool } from '@/server/platform/db/pool';
import { operations, rest } from '@/server/registry';
import { queryAsOwner, withFreshDatabase } from '@/server/testing/database';
import type { Ids } from '@/server/testing/examples';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { bodyOf, contentOf, createRecords, named, pathOf, queryOf } from '@/server/testing/operations';
import { type Call, withHttpServer } from '@/server/testing/rest';
import type { RestRoute } from './route-table';

/** The key of an agent acts as that agent, and works while it does. */

withFreshDatabase();
const call = withHttpServer();

let caller: TestIdentity;
let ids: Ids;
let agent: AgentDetail;
let key: string;
let apiKeyId: string;

beforeEach(async () => {
  caller = await createTestIdentity();
  ids = await createRecords(caller);
  agent = await createAgent(caller.actor, { name: 'Mara', roleId: 'mara', kind: 'assistant' });
  const made = await createApiKey(caller.actor, { name: 'Mara’s', expiresAt: null, agentId: agent.id });
  key = made.key;
  apiKeyId = made.apiKey.id;
});

function send(route: RestRoute, extra: Call = {}) {
  const path = `${pathOf(route, ids)}?${queryOf(route, ids)}`;
  return call(route.method, path, { key, ...contentOf(route), ...extra });
}

async function recordedAgents(): Promise<string[]> {
  const { rows } = await pool().query<{ agent_id: string }>('SELECT agent_id FROM usage_records WHERE identity_id = $1', [
    caller.identityId,
  ]);
  return rows.map(({ agent_id: id }) => id);
}

const setStatus = (status: 'active' | 'paused' | 'archived') => updateAgent(caller.actor, { agentId: agent.id, status });

test('what a key may do at all, it may not while its agent is paused or archived; nor does it act for one that is gone', async () => {
  for (const status of ['paused', 'archived', 'gone'] as const) {
    if (status === 'gone') await queryAsOwner(`DELETE FROM agents WHERE id = '${agent.id}'`);
    else await setStatus(status);
    const other = await createTestIdentity();
    // A key that was never looked up is in no cache.
    const fresh = await createApiKey(other.actor, { name: 'x', expiresAt: null });
    await pool().query('UPDATE api_keys SET identity_id = $2, agent_id = $3 WHERE id = $1', [
      fresh.apiKey.id,
      caller.identityId,
      agent.id,
    ]);
    for (const [name, route] of named()) {
      const answer = await send(route, { key: fresh.key });
      expect([name, answer.status]).toEqual([name, 403]);
      expect(answer.body).toMatchObject({
        error: 'Forbidden',
        code: 'agent_paused',
        message: `The agent of this key is ${status}.`,
      });
    }
  }
});

test('pausing the agent stops its key within a second, and activating it lets it go on', async () => {
  const read = () => call('GET', '/api/v1/identity', { key });
  expect((await read()).status).toBe(200);
  await setStatus('paused');
  const pausedAt = performance.now();
  // When the last request was sent that was let through: later than that, a busy machine may take its time.
  let lastAccepted = pausedAt;
  for (let isRefused = false; !isRefused; ) {
    const sentAt = performance.now();
    const statuses = (await Promise.all(Array.from({ length: 10 }, read))).map(({ status }) => status);
    if (statuses.includes(200)) lastAccepted = sentAt;
    isRefused = statuses.includes(403);
  }
  expect(lastAccepted - pausedAt).toBeLessThan(1_000);
  expect((await read()).body).toMatchObject({ code: 'agent_paused' });
  await setStatus('active');
  await expect.poll(async () => (await read()).status).toBe(200);
});

const closed = rest.routes.all.filter(({ meta }) => meta.notForAgents);

test('keys, and whom an agent asks, are out of its reach', () => {
  const declared = [...operations].filter(([, { meta }]) => meta.notForAgents).map(([name]) => name);
  const names = [...operations.keys()];
  const managing = names.filter((name) => /^(apiKeys|webhooks|policies|policy)\./.test(name));
  expect(declared).toEqual(expect.arrayContaining([...managing, 'agents.updateHitl']));
});

describe.each(named(closed))('%s', (_, route) => {
  test('is not for agents, with any scope', async () => {
    const answer = await send(route);
    expect(answer).toMatchObject({ status: 403, body: { error: 'Forbidden', code: 'not_for_agents' } });
    expect((await send(route, { key: caller.key })).status).toBeLessThan(300);
  });
});

test('an agent changes neither whether it works, nor whether others do, and reads of keys and webhooks nowhere', async () => {
  for (const id of [agent.id, ids.agentId]) {
    for (const status of ['paused', 'active']) {
      const refused = await call('PATCH', `/api/v1/identity/agents/${id}`, { key, json: { status } });
      expect(refused).toMatchObject({ status: 403, body: { code: 'not_for_agents' } });
    }
  }
  expect((await call('PATCH', `/api/v1/identity/agents/${agent.id}`, { key, json: { name: 'Mara B.' } })).status).toBe(200);
  const log = async (by: string) => (await call('GET', '/api/v1/event-log?limit=100&types=api_key.*', { key: by })).body;
  // Transactions of other tests hold events back for a while.
  await expect.poll(async () => JSON.stringify(await log(caller.key))).toContain('api_key.created');
  expect(await log(key)).toMatchObject({ events: [] });
  expect(await call('GET', '/api/v1/event-log?types=webhook.disabled', { key })).toMatchObject({
    body: { code: 'not_for_agents' },
  });
});

const creating = rest.routes.all.filter(({ meta }) => meta.agentField);

test('there is something to create', () => expect(creating.length).toBeGreaterThanOrEqual(5));

describe.each(named(creating))('%s', (_, { meta, ...route }) => {
  const field = meta.agentField ?? '';
  /** The example, with this agent in the field. */
  const withAgent = (id: string | null) => {
    const [name = '', ofItems] = field.split('.*.');
    const body = bodyOf({ meta, ...route }) as Record<string, object[]>;
    return ofItems
      ? { ...body, [name]: (body[name] ?? []).map((item) => ({ ...item, [ofItems]: id })) }
      : { ...body, [name]: id };
  };
  const isOf = async (text: string, id: string) => text.includes(`"${id}"`) || (await recordedAgents()).includes(id);

  test('is the agent’s where it names none', async () => {
    const answer = await send({ meta, ...route });
    expect(answer.status).toBeLessThan(300);
    expect(await isOf(answer.text, agent.id)).toBe(true);
    const others = await send({ meta, ...route }, { key: caller.key });
    expect(others.text).not.toContain(agent.id);
  });

  test('is another agent’s, or nobody’s, where it says so', async () => {
    const other = ids.agentId ?? '';
    const answer = await send({ meta, ...route }, { json: withAgent(other) });
    expect(answer.status).toBeLessThan(300);
    expect(await isOf(answer.text, other)).toBe(true);
    expect(await isOf(answer.text, agent.id)).toBe(false);
    const nobody = await send({ meta, ...route }, { json: withAgent(null) });
    expect(await isOf(nobody.text, agent.id)).toBe(false);
  });
});

test('an execution needs no agent from the key of one, and counts once in its statistics', async () => {
  const execution = { type: 'agent_execution', status: 'completed', eventId: 'e-1' };
  for (let n = 0; n < 2; n++) {
    const json = { records: [execution, { ...execution, eventId: 'e-2' }] };
    const answer = await call('POST', '/api/v1/usage/track/batch', { key, json });
    expect(answer.body).toMatchObject({ success: true });
  }
  const { body } = await call('GET', `/api/v1/identity/agents/${agent.id}`, { key });
  expect(body).toMatchObject({ stats: { completedTasks: 2 } });
});

test('the audit log names the agent and its key', async () => {
  const customer = { company: 'Quark', contacts: [{ email: 'q@x.io' }] };
  expect((await call('POST', '/api/v1/identity/customers', { key, json: customer })).status).toBe(201);
  const author = { kind: 'agent', id: agent.id, name: 'Mara', key: { id: apiKeyId, name: 'Mara’s' } };
  for (const filter of [{ author: 'agent' }, { apiKeyId }, { author: 'key' }]) {
    const { entries } = await listAudit(caller.actor, listAuditInput.parse({ ...filter, resource: 'customer' }));
    expect(entries).toMatchObject([{ author, agent: null, label: 'Quark' }]);
  }
  const { entries } = await listAudit(
    caller.actor,
    listAuditInput.parse({ author: 'owner', resource: 'customer', action: 'created' }),
  );
  expect(entries.every(({ author: { kind } }) => kind === 'owner')).toBe(true);
});
