import { expect, test } from 'vitest';
import { createCustomer, updateCustomer } from '@/server/features/customers/customer.service';
import { queryAsOwner, withFreshDatabase } from '@/server/testing/database';
import { followLog } from '@/server/testing/events';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import type { ReadHistoryInput } from './event.schema';
import { readHistory } from './event-history.service';
import { readEvents } from './event-log.service';

withFreshDatabase();

const newCustomer = ({ actor }: TestIdentity, company: string) =>
  createCustomer(actor, {
    company,
    contacts: [{ email: `${company}@example.com` }],
    phone: '',
    tags: [],
    notes: '',
    metadata: {},
  });

/** All pages of the history, from newest to oldest. */
async function readAll({ actor }: TestIdentity, input: Pick<ReadHistoryInput, 'limit'> & Partial<ReadHistoryInput>) {
  const pages: string[][] = [];
  let before: string | undefined;
  do {
    const { events, next } = await readHistory(actor, { ...input, before });
    pages.push(events.map(({ data, type }) => `${type} ${'object' in data && String(data.object.company)}`));
    before = next ?? undefined;
  } while (before !== undefined);
  return pages;
}

test('the history goes from newest to oldest in pages, of all types or some', async () => {
  const identity = await createTestIdentity();
  const { id } = await newCustomer(identity, 'a');
  await newCustomer(identity, 'b');
  await updateCustomer(identity.actor, { id, company: 'c' });
  await followLog(identity.actor)(3);
  expect(await readAll(identity, { limit: 2 })).toEqual([['customer.updated c', 'customer.created b'], ['customer.created a']]);
  expect(await readAll(identity, { limit: 1, types: ['customer.created'] })).toEqual([
    ['customer.created b'],
    ['customer.created a'],
  ]);
  expect(await readAll(identity, { limit: 3, types: ['customer.deleted', 'customer.u*'] })).toEqual([['customer.updated c']]);
});

test('the history counts positions as numbers, not as text', async () => {
  const identity = await createTestIdentity();
  for (const name of ['a', 'b', 'c']) await newCustomer(identity, name);
  await queryAsOwner(
    `UPDATE event_log e SET position = 8 + n.nr FROM (SELECT seq, row_number() OVER (ORDER BY seq) AS nr FROM event_log WHERE identity_id = $1) n
     WHERE e.identity_id = $1 AND e.seq = n.seq`,
    [identity.identityId],
  );
  const newestFirst = [['customer.created c'], ['customer.created b'], ['customer.created a']];
  expect(await readAll(identity, { limit: 1 })).toEqual(newestFirst);
  expect(await readAll(identity, { limit: 1, types: ['customer.*'] })).toEqual(newestFirst);
});

test('following from before the history was read continues it without a gap', async () => {
  const identity = await createTestIdentity();
  const { nextCursor } = await readEvents(identity.actor, { after: 'now', limit: 1, wait: 0 });
  await newCustomer(identity, 'a');
  const { events } = await readHistory(identity.actor, { limit: 50 });
  const followed = await followLog(identity.actor, nextCursor)(1);
  expect(followed).toEqual(events.length === 0 ? [expect.objectContaining({ type: 'customer.created' })] : events);
});

test('a cursor of another identity is refused', async () => {
  const [mine, theirs] = [await createTestIdentity(), await createTestIdentity()];
  for (const name of ['a', 'b']) await newCustomer(theirs, name);
  await followLog(theirs.actor)(2);
  const { next } = await readHistory(theirs.actor, { limit: 1 });
  const before = next ?? undefined;
  await expect(readHistory(mine.actor, { limit: 1, before })).rejects.toMatchObject({ code: 'invalid_cursor' });
});
