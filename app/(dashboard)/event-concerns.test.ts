import { expect, test } from 'vitest';
import { operations } from '@/server/registry';
import { callerAs } from '@/server/testing/caller';
import { concernedBy, routersOf } from './_components/live/event-concerns';

const caller = callerAs({ kind: 'session', userId: '', sessionId: '', identityId: 'any', role: 'owner' });
const { types: eventTypes } = await caller.webhooks.eventTypes({});

const routers = new Set([...operations.keys()].map((path) => path.split('.')[0]));

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
