import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createApiKey, revokeApiKey } from '@/server/features/api-keys/api-key.service';
import { countWaiting } from '@/server/features/events/event-signals.service';
import { pool } from '@/server/platform/db/pool';
import { rest } from '@/server/registry';
import { withFreshDatabase } from '@/server/testing/database';
import type { Ids } from '@/server/testing/examples';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { contentOf, createRecords, named, pathOf, queryOf } from '@/server/testing/operations';
import { type Call, withHttpServer } from '@/server/testing/rest';
import { hasScope, type KeyScope, keyScopes } from '../auth/scopes.schema';
import type { RestRoute } from './route-table';

/** Every operation needs exactly the scope that it declares. Generated from the registry. */

withFreshDatabase();
const call = withHttpServer();

let caller: TestIdentity;
let ids: Ids;
const issued: string[] = [];

beforeAll(async () => {
  caller = await createTestIdentity();
  ids = await createRecords(caller);
});

afterEach(async () => {
  for (const id of issued.splice(0)) await revokeApiKey(caller.actor, id);
});

async function keyWith(scopes: KeyScope[]): Promise<string> {
  // By the operator, whose changes are not limited.
  const operator = { kind: 'system' as const, identityId: caller.identityId };
  const { key, apiKey } = await createApiKey(operator, { name: 'Scoped', expiresAt: null, scopes });
  issued.push(apiKey.id);
  return key;
}

function send(route: RestRoute, extra: Call) {
  return call(route.method, `${pathOf(route, ids)}?${queryOf(route, ids)}`, { ...contentOf(route), ...extra });
}

/** Counts of what calls write: changes, and usage records, which are not audited. */
async function written(): Promise<unknown> {
  const { rows } = await pool().query(
    `SELECT (SELECT count(*) FROM audit_entries WHERE identity_id = $1 AND resource <> 'api_key') AS changes,
      (SELECT count(*) FROM usage_records WHERE identity_id = $1) AS records, (SELECT count(*) FROM outbox_mails) AS mails`,
    [caller.identityId],
  );
  return rows;
}

describe.each(named())('%s', (_, route) => {
  const required = route.meta.scope as KeyScope;
  const json = { 'content-type': 'application/json' };

  test('is refused to a key with all scopes but its own, before the body is read', async () => {
    const others = keyScopes.filter((scope) => !hasScope([scope], required));
    expect(others.length).toBeGreaterThanOrEqual(keyScopes.length - 3);
    const key = await keyWith(others);
    const before = await written();
    for (const extra of [{}, { json: undefined, body: '{', headers: json }]) {
      const { status, body } = await send(route, { key, ...extra });
      expect(status).toBe(403);
      expect(body).toMatchObject({
        error: 'Forbidden',
        message: expect.stringContaining(required),
        code: 'insufficient_scope',
        details: { required },
      });
    }
    expect(await written()).toEqual(before);
  });

  test('is open to a key with its scope alone', async () => {
    const { status, body } = await send(route, { key: await keyWith([required]) });
    expect([status, body]).not.toEqual([403, expect.anything()]);
  });

  test('is documented with its scope', () => {
    const { paths } = rest.document() as { paths: Record<string, Record<string, { security: unknown; description: string }>> };
    const operation = paths[route.path]?.[route.method.toLowerCase()];
    expect(operation?.security).toEqual([{ apiKey: [required] }]);
    expect(operation?.description).toContain(`Scope: \`${required}\``);
  });
});

test('writing includes reading, and neither includes sending nor the other way round', () => {
  expect(hasScope(['customers:write'], 'customers:read')).toBe(true);
  expect(hasScope(['customers:read'], 'customers:write')).toBe(false);
  expect(hasScope(['conversations:write', 'conversations:read'], 'conversations:send')).toBe(false);
  expect(hasScope(['conversations:send'], 'conversations:read')).toBe(false);
  expect(hasScope(['blog:write'], 'customers:read')).toBe(false);
  for (const scope of keyScopes) expect(hasScope(['*'], scope)).toBe(true);
  for (const scope of keyScopes.slice(1)) expect(hasScope([scope], '*')).toBe(false);
});

describe('mail that leaves needs a scope of its own', () => {
  const invitees = [{ email: 'guest@x.io' }];
  const event = { title: 'Secret', startTime: '2036-11-24T09:00:00Z', endTime: '2036-11-24T10:00:00Z', invitees };
  const reminders = [{ type: 'email', value: 10, unit: 'minutes' }];
  const create = (key: string, json: object) => call('POST', '/api/v1/calendar/events', { key, json });
  const refusal = { status: 403, body: { code: 'insufficient_scope', details: { required: 'conversations:send' } } };

  async function createQuiet(key: string, more: object = {}): Promise<string> {
    const answer = await create(key, { ...event, ...more, sendEmailReminders: false });
    expect(answer.status).toBe(201);
    return `/api/v1/calendar/events/${(answer.body as { event: { id: string } }).event.id}`;
  }

  test('for invitations, also later, and for word of a change', async () => {
    const key = await keyWith(['calendar:write']);
    const path = await createQuiet(key);
    const before = await written();
    expect(await create(key, event)).toMatchObject(refusal);
    for (const json of [
      { title: 'Other', notifyAttendeesOfChanges: true },
      { status: 'cancelled', notifyAttendeesOfChanges: true },
      { sendEmailReminders: true, invitees: [...invitees, { email: 'second@x.io' }] },
    ]) {
      expect(await call('PATCH', path, { key, json })).toMatchObject(refusal);
    }
    expect(await written()).toEqual(before);
    const both = await keyWith(['calendar:write', 'conversations:send']);
    expect((await create(both, event)).status).toBe(201);
    expect((await call('PATCH', path, { key: both, json: { title: 'Other', notifyAttendeesOfChanges: true } })).status).toBe(200);
  });

  test('for reminders of invitees, which a job sends', async () => {
    const key = await keyWith(['calendar:write']);
    const path = await createQuiet(key, { reminders });
    const before = await written();
    expect(await call('PATCH', path, { key, json: { sendEmailReminders: true } })).toMatchObject(refusal);
    expect(await written()).toEqual(before);
    const both = await keyWith(['calendar:write', 'conversations:send']);
    expect((await call('PATCH', path, { key: both, json: { sendEmailReminders: true } })).status).toBe(200);
    expect(await call('PATCH', path, { key, json: { title: 'Buy this' } })).toMatchObject(refusal);
    expect((await call('PATCH', path, { key, json: { color: 'red' } })).status).toBe(200);
  });

  test('but not for events without invitees, or without mail to them', async () => {
    const key = await keyWith(['calendar:write']);
    expect((await create(key, { ...event, invitees: [], reminders })).status).toBe(201);
    const path = await createQuiet(key);
    expect((await call('PATCH', path, { key, json: { title: 'Other' } })).status).toBe(200);
    expect((await call('DELETE', path, { key })).status).toBe(200);
  });

  test('and what a reply quotes has to be readable', async () => {
    const path = `/api/v1/conversations/${ids.conversationId}/messages`;
    const key = await keyWith(['conversations:send']);
    expect((await call('POST', path, { key, json: { text: 'Hello' } })).status).toBe(201);
    expect(await call('POST', path, { key, json: { text: 'Hello', quote: true } })).toMatchObject({
      status: 403,
      body: { details: { required: 'conversations:read' } },
    });
  });
});

describe('events need the scope of their objects', () => {
  const read = (key: string, query = '') => call('GET', `/api/v1/event-log?limit=100${query}`, { key });
  const refusal = (required: string) => ({ status: 403, body: { code: 'insufficient_scope', details: { required } } });

  test('in the log, which has no others', async () => {
    const types = async (scopes: KeyScope[], query = '') => {
      const { body } = await read(await keyWith(scopes), query);
      return new Set((body as { events: { type: string }[] }).events.map(({ type }) => type.split('.')[0]));
    };
    // Transactions of other tests hold events back for a while.
    await expect
      .poll(() => types(['*']))
      .toEqual(
        new Set(['identity', 'api_key', 'agent', 'customer', 'conversation', 'message', 'label', 'snippet', 'blog', 'calendar']),
      );
    expect(await types(['events:read'])).toEqual(new Set());
    expect(await types(['events:read', 'customers:read', 'blog:write'])).toEqual(new Set(['customer', 'blog']));
    expect(await types(['events:read', 'customers:read'], '&types=customer.*,blog.*')).toEqual(new Set(['customer']));
    expect(await read(await keyWith(['events:read']), '&types=customer.created')).toMatchObject(refusal('customers:read'));
  });

  test('for what a webhook sends, and shows', async () => {
    const key = await keyWith(['webhooks:write', 'blog:read']);
    const create = (events: string[]) => call('POST', '/api/v1/webhooks', { key, json: { url: 'https://8.8.8.8/', events } });
    expect(await create(['*'])).toMatchObject({ status: 403 });
    expect(await create(['blog.*', 'customer.created'])).toMatchObject(refusal('customers:read'));
    const made = await create(['blog.*']);
    expect(made.status).toBe(201);
    const path = `/api/v1/webhooks/${(made.body as { id: string }).id}`;
    const sent = await call('POST', `${path}/test`, { key, json: { type: 'customer.created' } });
    const delivery = `${path}/deliveries/${(sent.body as { id: string }).id}`;
    expect(await call('PATCH', path, { key, json: { events: ['customer.*'] } })).toMatchObject(refusal('customers:read'));
    const all = await keyWith(['*']);
    expect((await call('PATCH', path, { key: all, json: { events: ['*'] } })).status).toBe(200);
    expect(await call('PATCH', path, { key, json: { url: 'https://8.8.4.4/' } })).toMatchObject({ status: 403 });
    expect(await call('GET', delivery, { key })).toMatchObject({ status: 200, body: { event: null } });
    expect(await call('GET', delivery, { key: all })).toMatchObject({ body: { event: { type: 'customer.created' } } });
  });

  test('and a key that is revoked while it waits gets none', async () => {
    const key = await keyWith(['*']);
    const { body } = await read(key, '&after=now');
    const waiting = read(key, `&wait=2&types=blog.*&after=${(body as { nextCursor: string }).nextCursor}`);
    await expect.poll(() => countWaiting(caller.identityId)).toBe(1);
    await revokeApiKey(caller.actor, issued.pop() ?? '');
    expect(await waiting).toMatchObject({ status: 401, body: { code: 'revoked_key' } });
  });
});
