import { expect, test } from 'vitest';
import { appRouter, createCaller } from '@/server/registry';
import { concernedBy, routersOf } from './_components/live/event-concerns';

const caller = createCaller({
  actor: { kind: 'session', userId: '', sessionId: '', identityId: 'any', role: 'owner' },
  requestId: '',
  patchSemantics: 'merge',
  response: { headers: new Headers() },
  clientAddress: '',
});
const { types: eventTypes } = await caller.webhooks.eventTypes({});

const routers = new Set(Object.keys(appRouter._def.procedures).map((path) => path.split('.')[0]));

test.each(eventTypes.map(({ type }) => type))(
  '%s names routers that exist; a new kind of object needs a line in event-concerns.ts',
  (type) => {
    const named = routersOf(type);
    expect(named).not.toBeNull();
    expect(named?.filter((router) => !routers.has(router))).toEqual([]);
  },
);

test('events concern the queries of their objects, and no others', () => {
  const isConcerned = concernedBy([{ type: 'customer.created' }, { type: 'blog.post.published' }]);
  const paths = ['customers.list', 'customers.get', 'home.get', 'blog.list', 'blog.get', 'agents.list', 'conversations.pulse'];
  expect(paths.filter((path) => isConcerned(path.split('.')))).toEqual([
    'customers.list',
    'customers.get',
    'home.get',
    'blog.list',
  ]);
  expect(concernedBy([{ type: 'something.new' }])(['customers', 'list'])).toBe(false);
});
