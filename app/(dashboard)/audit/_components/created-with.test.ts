import { expect, it } from 'vitest';
import type { AuditEntry } from '@/server/features/audit/audit.schema';
import { momentOf, partsOf } from './created-with';

const entry = (id: string, fields: Partial<AuditEntry> = {}): AuditEntry => ({
  id,
  occurredAt: '2026-11-23T10:00:00.123Z',
  author: { kind: 'owner', id: null, name: null },
  agent: null,
  requestId: null,
  clientRequestId: null,
  resource: 'contact',
  resourceId: `contact-${id}`,
  parentId: 'customer',
  label: '',
  action: 'created',
  changes: [],
  ...fields,
});

it('finds what was created with a record, and nothing that came later or was there before', () => {
  const customer = entry('1', { resource: 'customer', resourceId: 'customer', parentId: null });
  const history = [
    entry('5', { occurredAt: '2026-11-23T10:00:00.124Z' }),
    entry('4', { action: 'updated' }),
    entry('3'),
    entry('2'),
    customer,
  ];
  expect(partsOf(customer, history).map(({ id }) => id)).toEqual(['2', '3']);
  expect(momentOf(customer)).toEqual({ from: customer.occurredAt, to: '2026-11-23T10:00:00.124Z' });
});
