import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createApiKey } from '@/server/features/api-keys/api-key.service';
import { operations, rest } from '@/server/registry';
import { callAs } from '@/server/testing/caller';
import { withFreshDatabase } from '@/server/testing/database';
import { begins, foreignInputs, queries } from '@/server/testing/examples';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { bodyOf, createRecordsFor, named } from '@/server/testing/operations';
import { type Answer, withHttpServer } from '@/server/testing/rest';
import { sessionCookieOf } from '@/server/testing/session';
import { addTestMember, memberCookie, type TestMember } from '@/server/testing/team';
import { createVictim, type Victim } from '@/server/testing/victim';
import type { Actor } from '../actor';
import { noteSecurityEvent } from '../auth/security-log';
import { isAppError } from '../errors';
import type { RestRoute } from '../rest/route-table';
import type { Operation } from './operation';

/**
 * Every operation behaves alike over REST, over tRPC, and for a page that is rendered: the same output, the same errors, the same
 * refusals and conditions. Generated from the registry.
 */

vi.mock('../auth/security-log', { spy: true });

withFreshDatabase({ PUBLIC_URL: 'http://desk.example.com' });
const call = withHttpServer();

const browser = { host: 'desk.example.com', origin: 'http://desk.example.com', 'sec-fetch-site': 'same-origin' };

type Input = Record<string, unknown>;

/** What comes of a call, whatever carries it. */
interface Outcome {
  output?: unknown;
  error?: { code: string; message: string; details: unknown };
}

/** A person and a program of one business. */
interface Callers {
  actor: Actor;
  cookie: string;
  key: string;
}

async function callersOf(identity: TestIdentity): Promise<Callers> {
  return { actor: identity.actor, cookie: await sessionCookieOf(identity), key: identity.key };
}

async function overRest(route: RestRoute, { key }: Pick<Callers, 'key'>, input: Input, ifMatch?: string): Promise<Outcome> {
  const names = route.segments.filter(({ parameter }) => parameter).map(({ text }) => text);
  const path = route.segments.map(({ text, parameter }) => (parameter ? String(input[text]) : text)).join('/');
  const others = Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)));
  const query = route.takesBody ? '' : `?${new URLSearchParams(others as Record<string, string>)}`;
  const answer = await call(route.method, `/api/v1/${path}${query}`, {
    key,
    headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
    ...(route.takesBody ? { json: others } : {}),
  });
  if (answer.status < 400) return { output: answer.body };
  const { code, details } = answer.body as { code: string; details?: unknown };
  return { error: { code, message: messageOf(answer), details } };
}

/** The message of an error; where the specification has another key for it, that. */
function messageOf({ body }: Answer): string {
  const { message, error } = body as { message?: string; error: string };
  return message ?? error;
}

async function overTrpc(
  { name, type }: Operation,
  { cookie }: Pick<Callers, 'cookie'>,
  input: Input,
  ifMatch?: string,
): Promise<Outcome> {
  const headers = { ...browser, cookie, ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) };
  const path = `/api/trpc/${name}`;
  const { body } =
    type === 'query'
      ? await call('GET', `${path}?input=${encodeURIComponent(JSON.stringify(input))}`, { headers })
      : await call('POST', path, { headers, json: input });
  const { result, error } = body as {
    result?: { data: unknown };
    error: { message: string; data: { code: string; details?: unknown } };
  };
  if (result) return { output: result.data };
  return { error: { code: error.data.code, message: error.message, details: error.data.details } };
}

async function forPage({ name }: Operation, { actor }: Pick<Callers, 'actor'>, input: Input): Promise<Outcome> {
  try {
    // As JSON, like what is sent.
    return { output: JSON.parse(JSON.stringify(await callAs(actor, name, input))) };
  } catch (error) {
    const cause = (error as Error).cause;
    if (!isAppError(cause)) throw error;
    const { code, message, details } = cause;
    return { error: { code, message, details } };
  }
}

const noted = () => vi.mocked(noteSecurityEvent).mock.calls.map(([{ kind, subject }]) => [kind, subject]);

beforeEach(() => {
  vi.mocked(noteSecurityEvent).mockClear();
});

const routes = new Map(rest.routes.all.map((route) => [route.name, route]));
const queryNames = [...operations.values()].filter(({ type }) => type === 'query').map(({ name }) => name);
const changes = rest.routes.all.filter(({ operation, rest: { upload } }) => operation.type === 'mutation' && !upload);

test('there is something to compare', () => {
  expect(queryNames.length).toBeGreaterThan(60);
  expect(changes.length).toBeGreaterThan(30);
});

describe('a query', () => {
  let victim: Victim;
  let callers: Callers;

  beforeAll(async () => {
    victim = await createVictim();
    callers = await callersOf(victim.identity);
  });

  /** What differs from one call to the next: a challenge, a link that is signed for a time, a projection early in the month. */
  const newEachTime = (output: unknown) =>
    JSON.parse(
      JSON.stringify(output ?? null, (key, value) => (/^(challenge|generatedAt|projection)$/.test(key) ? 'new' : value)),
    );

  test.each(queryNames)('%s answers the same to all, and the same errors', async (name) => {
    const operation = operations.get(name) as Operation;
    const route = routes.get(name);
    for (const input of foreignInputs(name, victim.known) as Input[]) {
      const expected = await overTrpc(operation, callers, input);
      expect(newEachTime(await forPage(operation, callers, input))).toEqual(newEachTime(expected));
      if (route && !route.rest.download)
        expect(newEachTime(await overRest(route, callers, input))).toEqual(newEachTime(expected));
    }
  });
});

/** An output with the types of its values, without what says whether a person or a program called. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, inner]) => (key === 'sentBy' ? [] : [[key, shapeOf(inner)]])));
}

describe.each(named(changes))('%s', (_, route) => {
  const { operation } = route;

  /** A business with what the operation is about, and an input for it. */
  async function prepare(): Promise<{ callers: Callers; input: Input; owner: TestIdentity }> {
    const owner = await createTestIdentity();
    const ids = await createRecordsFor(owner, route);
    return { owner, callers: await callersOf(owner), input: { ...bodyOf(route), ...queries[route.name]?.(ids), ...ids } };
  }

  test('does and answers the same', async () => {
    const outcomes: Outcome[] = [];
    for (const send of [overRest.bind(null, route), overTrpc.bind(null, operation), forPage.bind(null, operation)]) {
      const { callers, input } = await prepare();
      outcomes.push(await send(callers, input));
    }
    const [first, ...others] = outcomes.map(({ output, error }) => ({ shape: shapeOf(output), error }));
    for (const other of others) expect(other).toEqual(first);
  });

  test('has the same errors, refusals and conditions', async () => {
    const { callers, input, owner } = await prepare();
    const parameters = route.segments.filter(({ parameter }) => parameter).map(({ text }) => text);
    const withAll = (value: unknown): Input => ({ ...input, ...Object.fromEntries(parameters.map((name) => [name, value])) });
    const unchanged = Object.fromEntries(parameters.map((name) => [name, input[name]]));
    const wrong = [
      ...(parameters.length > 0 ? [withAll('not-an-id')] : []),
      ...(parameters.length > 0 && !begins.includes(route.name) ? [withAll(randomUUID())] : []),
      ...(route.takesBody ? [{ ...input, unknownKey: 'a\u0000' }, unchanged] : []),
    ];
    for (const each of wrong) {
      const expected = await overTrpc(operation, callers, each);
      expect(await forPage(operation, callers, each)).toMatchObject(expected.error ? expected : {});
      // The specification has texts of its own in some areas.
      const { message: _, ...error } = expected.error ?? {};
      expect(await overRest(route, callers, each)).toMatchObject(expected.error ? { error } : {});
    }
    for (const each of operation.target ? [input, unchanged] : []) {
      const expected = await overTrpc(operation, callers, each, '"seen-long-ago"');
      expect(expected.error?.code).toMatch(/^(precondition_failed|invalid_request)$/);
      expect(await overRest(route, callers, each, '"seen-long-ago"')).toEqual(expected);
    }
    await expectRefusals(owner, input);
  });

  /** A key's refusal is in the security log; a member’s is only an answer. Nothing of the input is read for either. */
  async function expectRefusals(owner: TestIdentity, input: Input): Promise<void> {
    const other = operation.meta.scope === 'agents:write' ? 'blog:write' : 'agents:write';
    const { key } = await createApiKey(owner.actor, { name: 'x', expiresAt: null, scopes: [other] });
    const viewer: TestMember = await addTestMember(owner, 'viewer');
    const unread = { ...input, unknownKey: 'a\u0000' };
    vi.mocked(noteSecurityEvent).mockClear();
    expect(await overRest(route, { key }, unread)).toMatchObject({ error: { code: 'insufficient_scope' } });
    expect(noted()).toEqual([['scope_refused', expect.stringMatching(new RegExp(`^${route.method} /`))]]);
    const refused = await overTrpc(operation, { cookie: await memberCookie(viewer) }, unread);
    if (refused.error?.code === 'invalid_request') expect(operation.meta.roleScope ?? operation.meta.scope).toMatch(/:read$/);
    else expect(refused).toMatchObject({ error: { code: 'insufficient_role' } });
    expect(await forPage(operation, { actor: viewer.actor }, unread)).toEqual(refused);
    expect(noted()).toHaveLength(1);
  }
});
