import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { rest } from '@/server/registry';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { bodyOf, createRecords, createRecordsFor, named, pathOf, queryOf } from '@/server/testing/operations';
import { withHttpServer } from '@/server/testing/rest';

/** Faults found by generated requests, each tested for every affected operation. */

withFreshDatabase();
const call = withHttpServer();

const json = { 'content-type': 'application/json' };
const deep = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;

const changing = rest.routes.all.filter(({ method, rest: { upload } }) => method !== 'GET' && !upload);

describe.each(named(changing))('%s', (_, route) => {
  test('nested without end is refused under an Idempotency-Key as without, and does not use it up', async () => {
    const caller = await createTestIdentity();
    const path = pathOf(route, await createRecordsFor(caller, route));
    const key = randomUUID();
    for (const headers of [json, { ...json, 'idempotency-key': key }]) {
      const answer = await call(route.method, path, { key: caller.key, body: deep, headers });
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    }
    // The key was not claimed, so another request may use it.
    const answer = await call(route.method, path, { key: caller.key, json: bodyOf(route), headers: { 'idempotency-key': key } });
    expect([200, 201]).toContain(answer.status);
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
  });
});

const reading = rest.routes.all.filter(({ method }) => method === 'GET');

describe.each(named(reading))('%s', (_, route) => {
  test('has no use for a body, whatever it is', async () => {
    const caller = await createTestIdentity();
    const ids = await createRecords(caller);
    const path = `${pathOf(route, ids)}?${queryOf(route, ids)}`;
    const bodies: [string, string][] = [
      ['text/plain', 'x'],
      ['application/json', '{'],
      ['application/json', deep],
      ['application/json', `"${'x'.repeat(1_100_000)}"`],
      ['application/x-www-form-urlencoded', 'identityId=x'],
    ];
    for (const [type, body] of bodies) {
      const answer = await call('GET', path, { key: caller.key, body, headers: { 'content-type': type } });
      expect([type, body.length, answer.status]).toEqual([type, body.length, 200]);
    }
  });
});
