import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { deleteIdentity } from '@/server/features/accounts/owned-identity.service';
import { createApiKey } from '@/server/features/api-keys/api-key.service';
import { withLease } from '@/server/platform/db/lease';
import { prisma } from '@/server/platform/db/prisma';
import { type Contract, expectDocumented, readContract } from '@/server/testing/contract';
import { withFreshDatabase } from '@/server/testing/database';
import { type Ask, conflicts, type Ids, notFound } from '@/server/testing/examples';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { bodyOf, contentOf, createRecords, named, pathOf, queryOf } from '@/server/testing/operations';
import { openRaw } from '@/server/testing/raw-http';
import { type Answer, type Call, withHttpServer } from '@/server/testing/rest';
import type { RestRoute } from './route-table';

/**
 * Every documented error can happen: for each operation and each of its statuses from 400 to 499 there is a request that
 * provokes exactly this status. Each status needs a rule here, so that no untested one is documented.
 */

withFreshDatabase();
const call = withHttpServer();
/** Fails slow senders immediately. */
const hasty = withHttpServer({ body: { bytesPerSecond: 1_000_000, window: 50 } });

const unknownId = '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50';

let contract: Contract;
let caller: TestIdentity;
let ids: Ids;
/** An identity whose daily requests are used up. */
let exhausted: TestIdentity;
/** A key whose scope no operation needs. */
let powerless: string;

/** No request in this file succeeds, so all of them can use the same resources. */
beforeAll(async () => {
  contract = readContract();
  caller = await createTestIdentity();
  ids = await createRecords(caller);
  powerless = (await createApiKey(caller.actor, { name: 'x', expiresAt: null, scopes: ['audit:read'] })).key;
  exhausted = await createTestIdentity({ plan: 'free' });
  const day = new Date(new Date().toISOString().slice(0, 10));
  await prisma().apiKeyDailyUsage.createMany({
    // Midnight may pass during the test.
    data: [day, new Date(day.getTime() + 86_400_000)].map((each) => ({
      apiKeyId: exhausted.apiKeyActor.apiKeyId,
      day: each,
      requests: 100,
    })),
  });
});

interface Request extends Call {
  query?: string;
  ids?: Ids;
}

/** Sends a valid request with the given changes. */
function send(route: RestRoute, { query, ids: others, ...extra }: Request = {}): Promise<Answer> {
  const path = `${pathOf(route, { ...ids, ...others })}?${query ?? queryOf(route, ids)}`;
  return call(route.method, path, { key: caller.key, ...contentOf(route), ...extra });
}

const json = { 'content-type': 'application/json' };

/** With the key of a deleted identity, while it is still cached. */
async function sendWithoutIdentity(route: RestRoute): Promise<Answer> {
  vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  const { key, actor, handle } = await createTestIdentity();
  expect((await call('GET', '/api/v1/identity', { key })).status).toBe(200);
  await deleteIdentity(actor, { handle });
  return send(route, { key });
}

const askOf = (route: RestRoute): Ask => ({
  ...{ caller, ids, body: bodyOf(route), call },
  send: (changes) => send(route, changes),
  sendWithoutIdentity: () => sendWithoutIdentity(route),
});

/** Parses the single response of a connection. */
function answerIn(text: string): Answer {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [status = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]);
  return {
    status: Number(status.split(' ')[1]),
    headers: Object.fromEntries(headers),
    cookies: [],
    text: body,
    bytes: Buffer.from(body),
    body: JSON.parse(body),
  };
}

/** How to provoke each status: one response for each way. */
const provoked: Record<number, (route: RestRoute) => Promise<Answer[]>> = {
  400: async (route) => {
    const ways: Request[] = [{ query: 'x=%ff' }];
    if (route.takesBody) ways.push({ json: undefined, body: '{', headers: json });
    if (route.method !== 'GET') ways.push({ headers: { 'idempotency-key': 'two words' } });
    return Promise.all(ways.map((way) => send(route, way)));
  },
  401: async (route) => {
    const none = { authorization: '' };
    const mistyped = caller.key.slice(0, -1) + (caller.key.endsWith('x') ? 'y' : 'x');
    return [await send(route, { headers: none }), await send(route, { key: mistyped })];
  },
  403: async (route) => [await send(route, { query: `identityId=${unknownId}` }), await send(route, { key: powerless })],
  404: async (route) => {
    const names = route.segments.filter(({ parameter }) => parameter).map(({ text }) => text);
    const way = notFound[route.name];
    if (names.length === 0 && !way) throw new Error(`${route.name} documents 404: say in its examples what it does not find`);
    const unknown = Object.fromEntries(names.map((name) => [name, unknownId]));
    return [way ? await way(askOf(route)) : await send(route, { ids: unknown })];
  },
  408: async (route) => {
    const path = `${pathOf(route, ids)}?${queryOf(route, ids)}`;
    const headers = {
      Host: 'x',
      Authorization: `Bearer ${caller.key}`,
      'Content-Type': 'application/json',
      'Content-Length': '500',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
    const slow = openRaw(hasty.port(), `${route.method} ${path} HTTP/1.1\n${lines.join('')}\n{`);
    return [answerIn(await slow.closed())];
  },
  409: async (route) => {
    const key = randomUUID();
    const lease = `idempotency:${caller.apiKeyActor.apiKeyId}:${key}`;
    const running = await withLease(lease, () => send(route, { headers: { 'idempotency-key': key } }));
    expect(running?.body).toMatchObject({ code: 'idempotency_running' });
    const answers = running ? [running] : [];
    const [code, provoke] = conflicts[route.name] ?? [];
    if (!provoke) return answers;
    const answer = await provoke(askOf(route));
    expect(answer.body).toMatchObject({ code });
    return [...answers, answer];
  },
  412: async (route) => [await send(route, { headers: { 'if-match': '"seen-long-ago"' } })],
  413: async (route) => {
    if (route.rest.upload) return [await send(route, { body: Buffer.alloc(route.rest.upload.maximumBytes + 1) })];
    const padding = 'x'.repeat(route.rest.maximumBodyBytes ?? 1024 * 1024);
    return [await send(route, { json: { ...bodyOf(route), padding } })];
  },
  415: async (route) => {
    const headers = route.rest.upload ? { 'content-encoding': 'gzip' } : { 'content-type': 'text/plain' };
    return [await send(route, { json: undefined, body: '{}', headers })];
  },
  422: async (route) => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await call('DELETE', `/api/v1/identity/customers/${unknownId}`, { key: caller.key, headers });
    expect(first.status).toBe(404);
    return [await send(route, { headers })];
  },
  429: async (route) => [await send(route, { key: exhausted.key })],
};

const isRefusal = (status: number) => status >= 400 && status < 500;

describe.each(named())('%s', (name, route) => {
  test('refuses with each status it documents', async () => {
    const operation = contract.operations.find((each) => each.name === name);
    const documented = Object.keys(operation?.responses ?? {})
      .map(Number)
      .filter(isRefusal);
    expect(documented).toEqual(expect.arrayContaining([400, 401, 403, 429]));
    for (const status of documented) {
      const provoke = provoked[status];
      if (!provoke) throw new Error(`${name} documents ${status}: give this status a rule in documented-errors.test.ts`);
      const answers = await provoke(route);
      expect(answers.length).toBeGreaterThan(0);
      for (const answer of answers) {
        expect([name, answer.status]).toEqual([name, status]);
        expectDocumented(contract, route.method, pathOf(route, ids), answer);
      }
    }
  });

  test('with the key of an identity that was deleted a moment ago is refused as documented', async () => {
    const answer = await sendWithoutIdentity(route);
    expectDocumented(contract, route.method, pathOf(route, ids), answer);
  });
});
