import { expect, test, vi } from 'vitest';
import { createCustomer, deleteCustomer, updateCustomer } from '@/server/features/customers/customer.service';
import { queryAsOwner, withFreshDatabase } from '@/server/testing/database';
import { committedEvents, followLog } from '@/server/testing/events';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import type { EventRecord, ReadEventsInput } from './event.schema';
import { alignEventClock, removeOldEvents } from './event-jobs.service';
import { readEvents } from './event-log.service';

withFreshDatabase();

const read = ({ actor }: TestIdentity, input: Partial<ReadEventsInput> = {}) =>
  readEvents(actor, { limit: 50, wait: 0, ...input });

const newCustomer = ({ actor }: TestIdentity, company: string, email = `${company}@example.com`) =>
  createCustomer(actor, { company, contacts: [{ email }], phone: '', tags: [], notes: '', metadata: {} });

const nameOf = ({ data }: EventRecord) => ('object' in data ? data.object.company : undefined);

test('in a restored database, where transactions are counted again, new events come after those before', async () => {
  await alignEventClock();
  const identity = await createTestIdentity();
  await newCustomer(identity, 'before');
  const { nextCursor } = await read(identity, { after: 'now' });
  // From a server that has counted further than this one.
  await queryAsOwner(`UPDATE event_clock SET timeline = 'another server'; UPDATE event_log SET position = position + 1000000`);
  await alignEventClock();
  await newCustomer(identity, 'after');
  expect((await followLog(identity.actor)(2)).map(nameOf)).toEqual(['before', 'after']);
  const later = await followLog(identity.actor, nextCursor)(1);
  expect(later.map(nameOf)).toContain('before');
});

test('the log begins with the oldest event that is kept, and can be read on from there', async () => {
  const identity = await createTestIdentity();
  const ids: Record<string, string> = {};
  for (const name of ['too old', 'oldest', 'next']) ids[name] = (await newCustomer(identity, name)).id;
  await followLog(identity.actor)(3);
  const age = (name: string, days: string) =>
    queryAsOwner(`UPDATE event_log SET created_at = now() - interval '${days}' WHERE object_id = $1`, [ids[name]]);
  await age('too old', '30 days 1 second');
  await age('oldest', '29 days 23 hours');
  const first = await read(identity, { limit: 1 });
  expect(first).toMatchObject({ hasMore: true });
  expect(first.events.map(nameOf)).toEqual(['oldest']);
  // Two hours later, and after the daily removal.
  await age('oldest', '30 days 1 hour');
  await removeOldEvents();
  vi.setSystemTime(Date.now() + 7_200_000);
  try {
    const rest = await read(identity, { after: first.nextCursor });
    expect(rest.events.map(nameOf)).toEqual(['next']);
  } finally {
    vi.useRealTimers();
  }
});

test('a log whose events are all too old is read from its end', async () => {
  const identity = await createTestIdentity();
  await newCustomer(identity, 'too old');
  await followLog(identity.actor)(1);
  await queryAsOwner(`UPDATE event_log SET created_at = now() - interval '30 days 1 second' WHERE identity_id = $1`, [
    identity.identityId,
  ]);
  const { events, nextCursor } = await read(identity);
  expect(events).toEqual([]);
  await newCustomer(identity, 'new');
  expect((await followLog(identity.actor, nextCursor)(1)).map(nameOf)).toEqual(['new']);
});

test('events and the versions of deleted objects go after EVENT_RETENTION_DAYS', async () => {
  const identity = await createTestIdentity();
  const { id } = await newCustomer(identity, 'gone');
  await deleteCustomer(identity.actor, id);
  const kept = await newCustomer(identity, 'kept');
  await updateCustomer(identity.actor, { id: kept.id, tags: ['vip'] });
  await queryAsOwner(`UPDATE event_log SET created_at = now() - interval '32 days' WHERE object_id = $1`, [id]);
  await queryAsOwner(`UPDATE object_versions SET changed_at = now() - interval '32 days' WHERE object_id = $1`, [id]);
  await removeOldEvents();
  expect((await committedEvents(identity)).map(nameOf)).toEqual(['kept', 'kept']);
  const versions = `SELECT count(*)::int AS count FROM object_versions WHERE identity_id = $1 AND object_type = 'customer'`;
  expect(await queryAsOwner(versions, [identity.identityId])).toEqual([{ count: 1 }]);
});
