import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectDocumented } from '@/server/testing/contract';
import { withFreshDatabase } from '@/server/testing/database';
import { createTarget, fuzzRuns, fuzzSeed, fuzzTimeout, operationNames, type Target } from '@/server/testing/fuzzing';
import { callOf, hostileRequests } from '@/server/testing/hostile';
import { withHttpServer } from '@/server/testing/rest';

/**
 * For any request with any method and headers there is a response, it is not a server error, and it matches the document,
 * including body and form of error.
 */

interface Customers {
  customers: { contacts: { isPrimary: boolean }[] }[];
}

withFreshDatabase();
const call = withHttpServer();

describe.each(operationNames)('%s', (name) => {
  let target: Target;
  beforeAll(async () => {
    target = await createTarget(name);
  });

  test('answers as documented, whatever comes', { timeout: fuzzTimeout }, async () => {
    const property = fc.asyncProperty(hostileRequests(target), async (request) => {
      const { method, pathname, query } = request;
      const answer = await call(method, query === '' ? pathname : `${pathname}?${query}`, callOf(request, target.caller.key));
      expectDocumented(target.contract, method, pathname, answer);
    });
    await fc.assert(property, { numRuns: fuzzRuns, seed: fuzzSeed });
  });

  test('leaves the server as it was', async () => {
    const { body } = await call('GET', '/api/v1/identity', { key: target.caller.key });
    expect(body).toMatchObject({ id: target.caller.identityId });
    const listed = await call('GET', '/api/v1/identity/customers?limit=100', { key: target.caller.key });
    for (const { contacts } of (listed.body as Customers).customers)
      expect(contacts.filter(({ isPrimary }) => isPrimary)).toHaveLength(1);
    expect(Object.keys({})).toEqual([]);
    expect('a' in {}).toBe(false);
  });
});
