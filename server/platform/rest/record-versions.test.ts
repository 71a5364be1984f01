import { describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { rest } from '@/server/registry';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { contentOf, createRecords, named, pathOf } from '@/server/testing/operations';
import { type Answer, type Call, withHttpServer } from '@/server/testing/rest';
import { versionTag } from '../operations/entity-tag';

/** The tags of records (docs/adr/0034), for every record and every operation that changes something. Generated from the registry. */

withFreshDatabase();
const call = withHttpServer();

const records = rest.routes.all.filter(({ operation }) => operation.version);

/** An identity with one of each record. */
async function beginAfresh() {
  const caller = await createTestIdentity();
  const parameters = await createRecords(caller);
  const read = (route: (typeof records)[number]) => call('GET', pathOf(route, parameters), { key: caller.key });
  const readAll = async () =>
    new Map<string, Answer>(await Promise.all(records.map(async (route) => [route.name, await read(route)] as const)));
  return { caller, parameters, read, readAll };
}

/** Usage of the agent, and a task on the conversation, which both show. */
function contentFor(route: (typeof records)[number], { agentId, conversationId }: Record<string, string>): Call {
  if (route.name !== 'usage.track') return contentOf(route);
  return {
    json: { type: 'agent_execution', agentId, conversationId, taskId: 'task-1', operation: 'reply', status: 'completed' },
  };
}

test('there is something to check', () => {
  expect(records.map(({ name }) => name)).toEqual(expect.arrayContaining(['customers.get', 'agents.get', 'calendar.get']));
});

describe.each(named(records))('%s', (_, route) => {
  test('shows a revision, by which it is locked, and from which its tag is made', async () => {
    const { caller, parameters, read } = await beginAfresh();
    const { headers, text } = await read(route);
    const revision = /"revision":(\d+)/.exec(text)?.[1];
    expect(headers.etag).toMatch(new RegExp(`^"${revision}\\.[\\w-]{10}"$`));
    expect(String(await route.operation.version?.lock(pool(), caller.actor, parameters))).toBe(revision);
  });

  test.runIf(route.operation.version?.read)(
    'has the same version when it is read alone, and none where there is no record',
    async () => {
      const { caller, parameters, read } = await beginAfresh();
      const version = await route.operation.version?.read?.(caller.actor, parameters);
      expect(version && versionTag(version)).toBe((await read(route)).headers.etag);
      const unknown = Object.fromEntries(Object.keys(parameters).map((name) => [name, '0199f3b2-0000-7000-8000-000000000000']));
      if (route.segments.some(({ parameter }) => parameter)) {
        expect(await route.operation.version?.read?.(caller.actor, unknown)).toBeNull();
      }
    },
  );
});

test.each(named(rest.routes.all.filter(({ method, operation }) => method === 'GET' && operation.answers && !operation.version)))(
  '%s has the tag of the record that it answers',
  async (_, route) => {
    const { caller, parameters, read } = await beginAfresh();
    const record = records.find(({ operation }) => operation === route.operation.answers);
    const answer = await call('GET', pathOf(route, parameters), { key: caller.key });
    expect([answer.status, answer.headers.etag]).toEqual([200, record && (await read(record)).headers.etag]);
  },
);

describe.each(named(rest.routes.all.filter(({ method }) => method !== 'GET')))('%s', (_, route) => {
  test('gives another tag to every record that it changes, and to no other', async () => {
    const { caller, parameters, readAll } = await beginAfresh();
    const before = await readAll();
    const { status } = await call(route.method, pathOf(route, parameters), { key: caller.key, ...contentFor(route, parameters) });
    expect(status).toBeLessThan(300);
    const after = await readAll();
    for (const [name, { text, headers }] of after) {
      const isSame = text === before.get(name)?.text;
      expect([name, headers.etag === before.get(name)?.headers.etag]).toEqual([name, isSame]);
    }
  });
});
