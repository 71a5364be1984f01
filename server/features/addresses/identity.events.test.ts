import { expect, test } from 'vitest';
import {
  addAddress,
  codeFor,
  newDomain,
  otherCode,
  proveByCode,
  publishRecord,
  withProvableDomains,
} from '@/server/testing/addresses';
import { withFreshDatabase } from '@/server/testing/database';
import { eventsOf } from '@/server/testing/events';
import { createTestIdentity } from '@/server/testing/identity';
import { getIdentity } from '../identity/identity.service';
import { confirmAddressCode } from './address-code.service';
import { verifyAddress } from './address-operator.service';
import { checkDomainNow } from './domain-proof.service';
import { removeWhitelistedAddress, useAsOwnAddress } from './further-address.service';

withFreshDatabase();
const dns = withProvableDomains();

test('addresses are told of when they are added, proven, made the own one and removed', async () => {
  const identity = await createTestIdentity();
  const { actor, owner } = identity;
  const address = `sales@${newDomain()}`;
  /** One event, with the business as GET answers it. */
  const told = async (work: () => Promise<unknown>) => {
    const events = await eventsOf(identity, work);
    expect(events).toMatchObject([{ type: 'identity.updated', actor: { type: 'user', id: owner.userId } }]);
    expect(events[0]?.data.object).toEqual(await getIdentity(actor));
    return events[0]?.data.previousAttributes;
  };
  expect(await told(() => addAddress(actor, address))).toEqual({ whitelistedAddresses: null, revision: 1 });
  expect(await told(() => proveByCode(actor, address))).toMatchObject({ whitelistedAddresses: [{ address, status: 'pending' }] });
  const before = await getIdentity(actor);
  expect(await told(() => useAsOwnAddress(actor, address))).toMatchObject({ address: before.address });
  expect(await eventsOf(identity, () => useAsOwnAddress(actor, address))).toEqual([]);
  const other = `other@${newDomain()}`;
  await addAddress(actor, other);
  expect(Object.keys((await told(() => removeWhitelistedAddress(actor, other))) ?? {})).toEqual([
    'whitelistedAddresses',
    'revision',
  ]);
});

test('what is refused is not told of', async () => {
  const identity = await createTestIdentity();
  const address = `sales@${newDomain()}`;
  await addAddress(identity.actor, address);
  const code = otherCode(await codeFor(identity.actor, address));
  const refusals = [
    () => addAddress(identity.actor, address),
    () => confirmAddressCode(identity.actor, { address, code }),
    () => useAsOwnAddress(identity.actor, address),
    () => removeWhitelistedAddress(identity.actor, `not-${address}`),
  ];
  for (const refused of refusals) expect(await eventsOf(identity, () => expect(refused()).rejects.toThrow())).toEqual([]);
});

test('a proven domain writes an event for every business whose addresses it changes, by the system', async () => {
  const owner = await createTestIdentity();
  const second = await createTestIdentity({ existingOwner: true, ownerEmail: owner.owner.email });
  const domain = newDomain();
  await addAddress(owner.actor, `a@${domain}`);
  await addAddress(second.actor, `b@${domain}`);
  await publishRecord(dns, owner.actor, `a@${domain}`);
  let others: unknown[] = [];
  const events = await eventsOf(owner, async () => {
    others = await eventsOf(second, () => checkDomainNow(owner.actor, `a@${domain}`));
  });
  const proven = { type: 'identity.updated', actor: { type: 'system', id: null } };
  expect(events).toMatchObject([proven]);
  expect(others).toMatchObject([proven]);
  expect(events[0]?.data.object).toEqual(await getIdentity(owner.actor));
});

test('an address that the operator takes writes an event for both businesses', async () => {
  const [holder, taker] = [await createTestIdentity(), await createTestIdentity()];
  const address = `sales@${newDomain()}`;
  await addAddress(taker.actor, address);
  await addAddress(holder.actor, address);
  await proveByCode(holder.actor, address);
  let lost: unknown[] = [];
  const won = await eventsOf(taker, async () => {
    lost = await eventsOf(holder, () => verifyAddress({ identity: taker.handle, address, force: true }));
  });
  expect(lost).toMatchObject([{ data: { object: { whitelistedAddresses: [{ address, status: 'contested' }] } } }]);
  expect(won).toMatchObject([{ data: { object: { whitelistedAddresses: [{ address, status: 'proven' }] } } }]);
});
