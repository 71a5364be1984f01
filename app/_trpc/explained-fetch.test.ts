import { createTRPCClient, httpBatchLink, httpLink } from '@trpc/client';
import { afterEach, expect, test, vi } from 'vitest';
import { errorFacts } from '@/app/_kit/error-facts';
import type { AppRouter } from '@/server/registry';
import { explainedFetch } from './explained-fetch';

afterEach(() => vi.unstubAllGlobals());

function clientAgainst(status: number, body: unknown, link: typeof httpLink | typeof httpBatchLink) {
  vi.stubGlobal('fetch', async () => Response.json(body, { status }));
  return createTRPCClient<AppRouter>({ links: [link({ url: 'http://desk.example/api/trpc', fetch: explainedFetch })] });
}

test.each([
  ['a single call', httpLink],
  ['a batch', httpBatchLink],
])('a refusal that tRPC had no part in says what it was: %s', async (_name, link) => {
  const message = 'Too many requests from this account. Wait 20 seconds and try again.';
  const details = { limit: 1200, remaining: 0 };
  const body = { error: 'Rate limit exceeded', message, code: 'rate_limit_exceeded', details, requestId: 'r-1' };
  const client = clientAgainst(429, body, link);
  const failure = await client.account.get.query({}).catch((error: unknown) => error);
  expect(errorFacts(failure)).toEqual({ code: 'rate_limit_exceeded', message, requestId: 'r-1', fields: {}, details });
});

test('tRPC’s own errors come as they are', async () => {
  const error = { code: -32001, message: 'Sign in to go on.', data: { code: 'signed_out', requestId: 'r-2' } };
  const client = clientAgainst(401, { error }, httpLink);
  const failure = await client.account.get.query({}).catch((thrown: unknown) => thrown);
  expect(errorFacts(failure)).toMatchObject({ code: 'signed_out', requestId: 'r-2' });
});

test('what is no answer of ours is a server that could not be reached', async () => {
  for (const body of ['<html>Bad gateway</html>', null, { error: 'x' }]) {
    const client = clientAgainst(502, body, httpLink);
    expect(errorFacts(await client.account.get.query({}).catch((error: unknown) => error)).code).toBe('unreachable');
  }
});
