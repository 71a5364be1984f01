import { expect, test } from 'vitest';
import { textFinder } from '@/server/platform/search-words';
import type { CustomerRecord } from './customer.schema';
import { customerHit } from './customer-hit';

const customer: CustomerRecord = {
  id: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50',
  identityId: '0199f3b2-5d0a-7c11-8b7e-aa55cc33dd11',
  company: 'Quark Labs',
  phone: '+49 (0)40 5550 1234',
  tags: ['vip', 'north'],
  notes: `${'Some words before it. '.repeat(4)}Prefers calls\nafter lunch.`,
  metadata: { crmId: 'Q-118', rep: { name: 'Uma Vale' }, numbers: [7, 'blue'] },
  contacts: [
    { guid: '7d3cbb4c-6c54-5d0b-9d6f-5f0f4a3b2c1d', email: 'ann@quark.example', displayName: 'Ann Quark', isPrimary: true },
  ],
  revision: 3,
  createdAt: '2026-11-02T09:30:00.000Z',
  updatedAt: '2026-11-20T16:05:12.345Z',
};

const hitOf = (search: string, shown = ['Quark Labs', 'ann@quark.example']) =>
  customerHit(customer, { search, finder: textFinder(search), shown });

test.each([
  ['quark', undefined],
  ['labs ann', undefined],
  ['', undefined],
  ['vip', { label: 'Tag', text: 'vip' }],
  ['labs 118', { label: 'crmId', text: 'Q-118' }],
  ['vale', { label: 'name', text: 'Uma Vale' }],
  ['blue', { label: 'numbers', text: 'blue' }],
  ['5550-1234', { label: 'Phone', text: '+49 (0)40 5550 1234' }],
  ['quark lunch', { label: 'Notes', text: '…calls after lunch.' }],
  ['lnuch', { label: 'Notes', text: '…calls after lunch.' }],
])('%j is found in %j', (search, hit) => {
  expect(hitOf(search)).toEqual(hit);
});

test('only the beginning of a long text is looked at', () => {
  const search = 'lunch';
  const of = (notes: string) => customerHit({ ...customer, notes }, { search, finder: textFinder(search), shown: [] });
  expect(of(`${'word '.repeat(500)}lunch`)?.text).toBe('…word word lunch');
  expect(of(`${'word '.repeat(1_000)}lunch`)).toBeUndefined();
});

test('the name of a contact whose address is shown is one', () => {
  expect(hitOf('ann', ['Quark Labs', 'info@quark.example'])).toEqual({ label: '', text: 'Ann Quark' });
});
