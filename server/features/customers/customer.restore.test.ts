import { expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { overrideEnv } from '@/server/platform/env';
import { removeExpired } from '@/server/platform/jobs/expiry';
import { withFreshDatabase } from '@/server/testing/database';
import { eventsOf } from '@/server/testing/events';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { removeOldDeletions } from '../deletions/deletion.service';
import { removeOldEvents } from '../events/event-jobs.service';
import { createCustomerInput, updateCustomerInput } from './customer.schema';
import {
  addCustomerContact,
  createCustomer,
  deleteCustomer,
  getCustomer,
  getCustomerByContact,
  restoreCustomer,
  updateCustomer,
} from './customer.service';

withFreshDatabase();

const notFound = { code: 'not_found', status: 404 };
const [ann, bob] = [{ email: 'ann@quark.io', displayName: 'Ann' }, { email: 'bob@quark.io' }];

const create = ({ actor }: TestIdentity, input: object) => createCustomer(actor, createCustomerInput.parse(input));

const everything = {
  company: '  Quark & "Söhne" 😀',
  phone: '+49 40 5550 1234',
  tags: ['vip', 'Bike'],
  notes: 'Two\nlines',
  metadata: { size: 54, nested: { a: [1, null] } },
  contacts: [ann, bob],
};

const stored = (id: string) =>
  rows<{ row: object }>(pool(), { text: 'SELECT to_json(c) AS row FROM customers c WHERE id = $1', values: [id] });

const keptOf = async ({ identityId }: TestIdentity) =>
  (await rows(pool(), { text: 'SELECT 1 FROM deleted_records WHERE identity_id = $1', values: [identityId] })).length;

test('a deleted customer comes back as it was, under its id, and can be changed and found', async () => {
  const identity = await createTestIdentity();
  const { actor } = identity;
  const created = await create(identity, everything);
  const [before] = await stored(created.id);
  const [deleted] = await eventsOf(identity, () => deleteCustomer(actor, created.id));
  await expect(getCustomer(actor, created.id)).rejects.toMatchObject(notFound);

  const [event] = await eventsOf(identity, async () => {
    const restored = await restoreCustomer(actor, created.id);
    expect(restored).toEqual({ ...created, revision: created.revision + 1, updatedAt: restored.updatedAt });
  });
  const [after] = await stored(created.id);
  expect(after?.row).toEqual({ ...before?.row, revision: 2, updated_at: expect.any(String) });
  expect(event).toMatchObject({
    type: 'customer.created',
    object: { id: created.id, version: (deleted?.object.version ?? 0) + 1 },
    data: { object: await getCustomer(actor, created.id) },
  });
  expect((await getCustomerByContact(actor, created.contacts[1]?.guid ?? '')).id).toBe(created.id);
  await updateCustomer(actor, updateCustomerInput.parse({ id: created.id, company: 'Other' }));
  await deleteCustomer(actor, created.id);
  expect(await restoreCustomer(actor, created.id)).toMatchObject({ company: 'Other' });
});

test('restored twice, also at the same time, it is there once', async () => {
  const identity = await createTestIdentity();
  const { id } = await create(identity, { contacts: [ann] });
  expect(await restoreCustomer(identity.actor, id)).toEqual(await getCustomer(identity.actor, id));
  await deleteCustomer(identity.actor, id);
  const events = await eventsOf(identity, async () => {
    const all = await Promise.all([1, 2, 3, 4].map(() => restoreCustomer(identity.actor, id)));
    for (const one of all) expect(one).toEqual(all[0]);
  });
  expect(events.map(({ type }) => type)).toEqual(['customer.created']);
  expect(await keptOf(identity)).toBe(0);
});

test('its version goes on where it was, also if events are kept for a shorter time than deleted records', async () => {
  const identity = await createTestIdentity();
  const { id } = await create(identity, { contacts: [ann] });
  const [deleted] = await eventsOf(identity, () => deleteCustomer(identity.actor, id));
  overrideEnv({ EVENT_RETENTION_DAYS: 1 });
  const old = `changed_at = changed_at - interval '2 days'`;
  await pool().query(`UPDATE object_versions SET ${old} WHERE identity_id = $1`, [identity.identityId]);
  await removeExpired([removeOldEvents]);
  overrideEnv({ EVENT_RETENTION_DAYS: 30 });
  const [restored] = await eventsOf(identity, () => restoreCustomer(identity.actor, id));
  expect(restored?.object.version).toBe((deleted?.object.version ?? 0) + 1);
});

test('one that was deleted before records had a revision has one', async () => {
  const identity = await createTestIdentity();
  const { id } = await create(identity, { contacts: [ann] });
  await deleteCustomer(identity.actor, id);
  await pool().query(`UPDATE deleted_records SET data = (data::jsonb - 'revision')::json WHERE identity_id = $1`, [
    identity.identityId,
  ]);
  expect(await restoreCustomer(identity.actor, id)).toMatchObject({ revision: 2 });
});

test('a customer that was written again by hand can be deleted again', async () => {
  const identity = await createTestIdentity();
  const { id } = await create(identity, { company: 'New', contacts: [ann] });
  await pool().query(`INSERT INTO deleted_records (identity_id, kind, record_id, data) VALUES ($1, 'customer', $2, '{}')`, [
    identity.identityId,
    id,
  ]);
  await deleteCustomer(identity.actor, id);
  expect(await restoreCustomer(identity.actor, id)).toMatchObject({ company: 'New' });
});

test('contacts that another customer has now stay there', async () => {
  const identity = await createTestIdentity();
  const { actor } = identity;
  const quark = await create(identity, { company: 'Quark', contacts: [ann, bob] });
  await deleteCustomer(actor, quark.id);
  const other = await create(identity, { company: 'Other', contacts: [ann] });
  const restored = await restoreCustomer(actor, quark.id);
  expect(restored.contacts).toMatchObject([{ email: bob.email, isPrimary: true }]);
  expect(await getCustomer(actor, other.id)).toEqual(other);

  await deleteCustomer(actor, quark.id);
  await addCustomerContact(actor, { id: other.id, ...bob });
  await expect(restoreCustomer(actor, quark.id)).rejects.toMatchObject({
    code: 'contact_conflict',
    details: { customerId: other.id },
  });
  // It can still be restored once one of them is free.
  expect(await keptOf(identity)).toBe(1);
});

test('another business, an unknown id and a customer deleted long ago are not found', async () => {
  const [identity, stranger] = [await createTestIdentity(), await createTestIdentity()];
  const { id } = await create(identity, { contacts: [ann] });
  await deleteCustomer(identity.actor, id);
  await expect(restoreCustomer(stranger.actor, id)).rejects.toMatchObject(notFound);
  await expect(restoreCustomer(identity.actor, identity.identityId)).rejects.toMatchObject(notFound);
  const age = (days: number) =>
    pool().query('UPDATE deleted_records SET deleted_at = deleted_at - make_interval(days => $2) WHERE identity_id = $1', [
      identity.identityId,
      days,
    ]);
  await age(29);
  await removeExpired([removeOldDeletions]);
  expect(await keptOf(identity)).toBe(1);
  await age(1);
  await expect(restoreCustomer(identity.actor, id)).rejects.toMatchObject(notFound);
  await removeExpired([removeOldDeletions]);
  expect(await keptOf(identity)).toBe(0);
});
