import { beforeAll, describe, expect, test } from 'vitest';
import { listEventTypes } from '@/server/features/webhooks/event-types.service';
import { pool } from '@/server/platform/db/pool';
import { rest } from '@/server/registry';
import { withFreshDatabase } from '@/server/testing/database';
import { foreignInputs, staleExamples, withoutRecords } from '@/server/testing/examples';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { type Answer, type Call, withHttpServer } from '@/server/testing/rest';
import { sessionCookieOf } from '@/server/testing/session';
import { createVictim, marker, type Victim, watchRows } from '@/server/testing/victim';
import { operations } from '../../registry';
import { inputSchemaOf, type RestRoute } from '../rest/route-table';

/**
 * Other owners' data can be neither read nor changed, by any procedure or operation, with any of their ids. Generated from the
 * registry, so that every new procedure is tested.
 */

withFreshDatabase({ PUBLIC_URL: 'http://desk.example.com' });
const call = withHttpServer();

let victim: Victim;
let changedTables: Awaited<ReturnType<typeof watchRows>>;

beforeAll(async () => {
  victim = await createVictim();
  changedTables = await watchRows(victim);
});

/** Fails only in the test that changed something, not in later ones. Rows of an intruder contain one of its ids. */
async function expectUntouched(by: TestIdentity): Promise<void> {
  expect(await changedTables([by.identityId, by.owner.userId])).toEqual([]);
}

const origin = { host: 'desk.example.com', origin: 'http://desk.example.com', 'sec-fetch-site': 'same-origin' };

function callProcedure(name: string, isQuery: boolean, input: object, headers: Call['headers']): Promise<Answer> {
  const all = { ...origin, ...headers };
  if (!isQuery) return call('POST', `/api/trpc/${name}`, { headers: all, json: input });
  return call('GET', `/api/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`, { headers: all });
}

/** Test deliveries contain these ids, as the documentation does. */
const examples = JSON.stringify(listEventTypes());

/** The victim's data in a response that were not in the request. */
function leaksIn(answer: Answer, sent: object): string[] {
  const text = answer.text.toLowerCase();
  const request = JSON.stringify(sent).toLowerCase();
  const ids = victim.ids.filter((id) => text.includes(id) && !request.includes(id) && !examples.includes(id));
  // Addresses and handles from the request contain the marker; apart from those, the response must not.
  const named = request.match(new RegExp(`[\\w.@-]*${marker}[\\w.@-]*`, 'g')) ?? [];
  const rest = named.reduce((left, each) => left.replaceAll(each, ''), text);
  return rest.includes(marker) ? [...ids, answer.text.slice(0, 2000)] : ids;
}

const procedures = [...operations];

describe.each(procedures)('%s', (name, procedure) => {
  const isQuery = procedure.type === 'query';

  test('has inputs that it takes', () => {
    for (const input of foreignInputs(name, victim.known)) {
      const { error } = inputSchemaOf(procedure).safeParse(input);
      expect([name, input, error?.issues]).toEqual([name, input, undefined]);
    }
  });

  test('shows and changes nothing of another’s, and nothing without signing in, API key or not', async () => {
    const intruder = await createTestIdentity();
    const cookie = await sessionCookieOf(intruder);
    const { identityId } = victim.identity;
    const guises = [
      { cookie },
      { cookie, 'x-frontdesk-identity': identityId },
      { cookie: `frontdesk.identity=${identityId}; ${cookie}; frontdesk.identity=${identityId}` },
    ];
    for (const input of foreignInputs(name, victim.known)) {
      for (const headers of guises) {
        const answer = await callProcedure(name, isQuery, input, headers);
        expect([name, answer.status < 500, leaksIn(answer, input)]).toEqual([name, true, []]);
      }
    }
    const [input = {}] = foreignInputs(name, victim.known);
    for (const authorization of ['', `Bearer ${victim.identity.key}`]) {
      const answer = await callProcedure(name, isQuery, input, { authorization });
      if (procedure.access === 'public') expect(answer.status).not.toBe(401);
      else expect(answer).toMatchObject({ status: 401, body: { error: { data: { code: 'signed_out' } } } });
      expect(leaksIn(answer, input)).toEqual([]);
    }
    await expectUntouched(intruder);
  });
});

/** The same input over REST. */
function callOperation(route: RestRoute, input: Record<string, unknown>, extra: Call): Promise<Answer> {
  const names = route.segments.filter(({ parameter }) => parameter).map(({ text }) => text);
  const path = route.segments.map(({ text, parameter }) => (parameter ? String(input[text]) : text)).join('/');
  const others = Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)));
  const query = route.method === 'GET' ? `?${new URLSearchParams(others as Record<string, string>)}` : '';
  return call(route.method, `/api/v1/${path}${query}`, { ...extra, ...(route.takesBody ? { json: others } : {}) });
}

const routes = rest.routes.all.map((route) => [`${route.method} ${route.path}`, route] as const);

test.each(routes)('%s shows and changes nothing of another’s, and takes no session for a key', async (_, route) => {
  const intruder = await createTestIdentity();
  const cookie = await sessionCookieOf(victim.identity);
  for (const input of foreignInputs(route.name, victim.known)) {
    const answer = await callOperation(route, input as Record<string, unknown>, { key: intruder.key });
    expect([route.name, answer.status < 500, leaksIn(answer, input)]).toEqual([route.name, true, []]);
    // Not even the owner’s own.
    const withCookie = await callOperation(route, input as Record<string, unknown>, { headers: { ...origin, cookie } });
    expect(withCookie).toMatchObject({ status: 401, body: { code: 'missing_key' } });
  }
  await expectUntouched(intruder);
});

/** If these inputs did not find the victim's data, the tests above would prove nothing. */
test.each(procedures.filter(([, { type }]) => type === 'query'))('%s shows their own to the victim', async (name) => {
  const cookie = await sessionCookieOf(victim.identity);
  const answers = [];
  for (const input of foreignInputs(name, victim.known)) {
    const answer = await callProcedure(name, true, input, { cookie });
    if (leaksIn(answer, input).length > 0) answers.push(answer);
  }
  expect([name, answers.length > 0]).toEqual([name, !withoutRecords.includes(name)]);
});

test('examples are those of procedures that exist', () => {
  expect(staleExamples()).toEqual([]);
  expect(victim.ids.length).toBeGreaterThan(30);
});

test('what changes of theirs is noticed, were it by their own hand', async () => {
  const stranger = await createTestIdentity();
  const key = victim.identity.key;
  const path = `/api/v1/identity/customers/${victim.known.id}`;
  // The first use of a key is noted a moment later.
  expect((await call('GET', path, { key })).status).toBe(200);
  const lastUse = { text: 'SELECT last_used_at FROM api_keys WHERE id = $1', values: [victim.identity.apiKeyActor.apiKeyId] };
  await expect.poll(async () => (await pool().query(lastUse)).rows[0].last_used_at).not.toBeNull();
  await changedTables([]);
  expect((await call('PATCH', path, { key, json: { phone: '1' } })).status).toBe(200);
  expect(await changedTables([stranger.identityId])).toEqual(expect.arrayContaining(['audit_entries', 'customers']));
  expect(await changedTables([])).toEqual([]);
  expect((await call('DELETE', path, { key })).status).toBe(200);
  expect(await changedTables([stranger.identityId])).toEqual(expect.arrayContaining(['audit_entries', 'customers']));
});
