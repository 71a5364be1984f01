import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { prisma } from '@/server/platform/db/prisma';
import { createTestEvent } from '@/server/testing/calendar';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { addTestMember } from '@/server/testing/team';
import { createCustomerInput } from '../customers/customer.schema';
import { createCustomer, deleteCustomer, updateCustomer } from '../customers/customer.service';
import { listAuditInput } from './audit.schema';
import { listAudit } from './audit.service';

withFreshDatabase();

let identity: TestIdentity;

beforeEach(async () => {
  identity = await createTestIdentity();
});

const log = async (filters: Parameters<typeof listAuditInput.parse>[0]) =>
  (await listAudit(identity.actor, listAuditInput.parse(filters))).entries;

const newCustomer = (email = 'ann@x.io') => createCustomerInput.parse({ company: 'Quark', contacts: [{ email }] });

test('the log is searched by words of a record’s name, in any order and part', async () => {
  const { actor } = identity;
  const quark = await createCustomer(actor, newCustomer());
  await updateCustomer(actor, { id: quark.id, company: 'Quark Labs (50% off)' });
  await createTestEvent(actor, { title: 'Visit of QUARK' });
  const found = async (search: string) => (await log({ search })).map(({ resource, label }) => `${resource} ${label}`);
  expect(await found(' labs, quark ')).toEqual(['customer Quark Labs (50% off)']);
  expect(await found('quark')).toEqual(['event Visit of QUARK', 'customer Quark Labs (50% off)', 'customer Quark']);
  expect(await found('uark')).toHaveLength(3);
  expect(await found('quark elsewhere')).toEqual([]);
  // Characters that mean something to the database are ordinary ones here.
  expect(await found('0% o')).toEqual(['customer Quark Labs (50% off)']);
  expect(await found('%')).toHaveLength(1);
  expect(await found('q_ark')).toEqual([]);
  expect(await log({ search: 'quark', resource: 'customer', action: 'created' })).toMatchObject([{ label: 'Quark' }]);
  expect(await log({ search: 'quark', resourceId: quark.id })).toHaveLength(2);
});

test('the log is searched by the names that it shows for customers without a company and for members', async () => {
  const contacts = [{ email: 'bo@x.io', displayName: 'Bo Berg' }, { email: 'ann@x.io' }];
  const { id } = await createCustomer(identity.actor, createCustomerInput.parse({ contacts }));
  const { actor: colleague } = await addTestMember(identity, 'member', 'Cleo Case');
  expect(await log({ search: 'berg bo' })).toMatchObject([{ resource: 'customer', resourceId: id, label: 'Bo Berg' }]);
  const joined = { resource: 'membership', resourceId: colleague.userId, label: 'Cleo Case' };
  expect(await log({ search: 'case cleo' })).toMatchObject([joined]);
  await deleteCustomer(identity.actor, id);
  expect(await log({ search: 'berg' })).toEqual([]);
});

test('the log is not searched by words that it does not show', async () => {
  const { userId } = identity.owner;
  await prisma().session.create({ data: { id: randomUUID(), userId, userAgent: 'Mozilla/5.0 (like Gecko) Safari' } });
  expect(await log({ resource: 'session' })).toMatchObject([{ label: expect.stringContaining('Gecko') }]);
  expect(await log({ search: 'like gecko' })).toEqual([]);
});

test('the log finds the changes of a request by its whole id among names', async () => {
  const { apiKeyActor: key } = identity;
  const request = { requestId: 'req-11', clientRequestId: 'import of May' };
  await createCustomer({ ...key, request }, newCustomer());
  await createCustomer(key, { ...newCustomer('bob@x.io'), company: 'About req-11' });
  const found = async (search: string) => (await log({ search })).map(({ label }) => label).sort();
  expect(await found('req-11')).toEqual(['About req-11', 'Quark', 'ann@x.io']);
  expect(await found('import of May')).toEqual(['Quark', 'ann@x.io']);
  expect(await found('import of')).toEqual([]);
  expect(await log({ search: 'quark', requestId: 'req-11' })).toHaveLength(1);
});
