import { expect, test } from 'vitest';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { deliver } from '@/server/testing/mail';
import { suggestContacts } from './contact.service';
import { createCustomerInput } from './customer.schema';
import { createCustomer } from './customer.service';

withFreshDatabase();

test('contacts are found by a part of their name or address, customers’ first, and never another identity’s', async () => {
  const { actor, handle } = await createTestIdentity();
  const stranger = await createTestIdentity();
  const contacts = [
    { email: 'ann@quark.example', displayName: 'Ann Quark' },
    { email: 'joanna@hadron.example', displayName: 'Joanna 100%' },
  ];
  await createCustomer(actor, createCustomerInput.parse({ contacts }));
  await deliver({ headers: { From: 'Aaron Annis <aaron@meson.example>' } }, { to: `inbox-manager@${handle}.localhost` });
  await createCustomer(stranger.actor, createCustomerInput.parse({ contacts: [{ email: 'anna@theirs.example' }] }));
  const found = async (query: string) => (await suggestContacts(actor, query)).contacts.map(({ email }) => email);
  expect(await found('ann')).toEqual(['ann@quark.example', 'joanna@hadron.example', 'aaron@meson.example']);
  expect(await found('AN')).toEqual(['ann@quark.example', 'aaron@meson.example']);
  expect(await found(' quark.ex')).toEqual(['ann@quark.example']);
  expect(await found('100%')).toEqual(['joanna@hadron.example']);
  expect(await found('%')).toEqual([]);
  expect(await found('')).toEqual([]);
});
