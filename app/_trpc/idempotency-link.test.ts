import { createTRPCClient, httpLink } from '@trpc/client';
import { afterEach, expect, test, vi } from 'vitest';
import type { AppRouter } from '@/server/registry';
import { idempotencyHeaders, idempotencyLink } from './idempotency-link';

afterEach(() => vi.unstubAllGlobals());

/** A client, and the keys of its requests; `answers` are the responses in order. */
function clientAgainst(...answers: (() => Response)[]) {
  const keys: (string | null)[] = [];
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    keys.push(new Headers(init.headers).get('idempotency-key'));
    return (answers.shift() ?? made)();
  });
  const url = 'http://desk.example/api/trpc';
  const client = createTRPCClient<AppRouter>({
    links: [idempotencyLink(), httpLink({ url, headers: ({ op }) => idempotencyHeaders(op.context) })],
  });
  const create = (name: string) => client.agents.create.mutate({ name, roleId: 'x' }).catch(() => undefined);
  return { client, create, keys };
}

const made = () => Response.json({ result: { data: {} } });
const lost = () => {
  throw new TypeError('Failed to fetch');
};
const refused = (code: string, status: number) => () =>
  Response.json({ error: { code: -32000, message: 'No', data: { code, httpStatus: status } } }, { status });

test.each([
  ['no answer came', lost],
  ['the proxy answered', () => new Response('<html>Bad gateway</html>', { status: 502 })],
  ['the server was away', refused('unavailable', 503)],
  ['the server failed', refused('internal_error', 500)],
  ['the first one is still running', refused('idempotency_running', 409)],
])('a change sent again because %s has the key it had, and another one afterwards', async (_why, answer) => {
  const { create, keys } = clientAgainst(answer, answer);
  for (let i = 0; i < 4; i++) await create('Ann');
  const [first, second, third, fourth] = keys;
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect([second, third]).toEqual([first, first]);
  expect(fourth).not.toBe(first);
});

test('a change that was answered has a new key the next time, and so has another change', async () => {
  const { create, keys } = clientAgainst(made, refused('invalid_request', 400), lost);
  for (const name of ['Ann', 'Ann', 'Ann', 'Bob']) await create(name);
  expect(new Set(keys).size).toBe(4);
});

test('the condition belongs to what is sent', async () => {
  const { client, keys } = clientAgainst(lost, lost);
  const rename = (ifMatch: string) =>
    client.identity.update.mutate({ displayName: 'x' }, { context: { ifMatch } }).catch(() => undefined);
  for (const tag of ['1', '2', '1']) await rename(tag);
  expect(keys[2]).toBe(keys[0]);
  expect(keys[1]).not.toBe(keys[0]);
});

test('reading has no key', async () => {
  const { client, keys } = clientAgainst();
  await client.account.get.query({});
  expect(keys).toEqual([null]);
});
