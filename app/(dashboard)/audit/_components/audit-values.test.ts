import { expect, it } from 'vitest';
import type { AuditEntry } from '@/server/features/audit/audit.schema';
import { changeRows, momentOf, partsOf, readValue } from './audit-values';

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

it('reads values for people', () => {
  expect([null, '', [], {}].map((value) => readValue(value, 'tags').kind)).toEqual(['empty', 'empty', 'empty', 'empty']);
  expect(readValue(false, 'isRead')).toMatchObject({ kind: 'text', text: 'No' });
  expect(readValue(0, 'size')).toMatchObject({ kind: 'text', text: '0' });
  expect(readValue('2026-11-21T15:35:11.24+00:00', 'answeredAt')).toEqual({ kind: 'time', time: '2026-11-21T15:35:11.240Z' });
  expect(readValue('waiting_human', 'status')).toMatchObject({ text: 'waiting human' });
  expect(readValue('snake_case', 'company')).toMatchObject({ text: 'snake_case', isCode: false, isCut: false });
  expect(readValue('01a2003f-bb06-77bc-9c2c-ac0e2d43c9b6', 'customerId')).toMatchObject({ isCode: true });
  expect(readValue(`${'x'.repeat(1000)}…`, 'content')).toMatchObject({ isCut: true });
});

it('reads lists by line, and what does not go into lines as it is', () => {
  expect(readValue(['vip', 'eu'], 'tags')).toEqual({ kind: 'list', items: ['vip', 'eu'] });
  const people = [
    { email: 'a@x.io', displayName: 'Ann' },
    { email: 'b@x.io', displayName: null },
  ];
  expect(readValue(people, 'to')).toEqual({ kind: 'list', items: ['Ann <a@x.io>', 'b@x.io'] });
  expect(readValue([{ minutes: 5 }], 'reminders')).toMatchObject({ kind: 'json' });
});

it('shows of objects only what changed', () => {
  const before = { tone: 'Dry', bio: '', traits: ['calm'] };
  const after = { tone: 'Warm', traits: ['calm'], avatarEmoji: '🙂' };
  const rows = changeRows({ changes: [{ field: 'persona', before, after }] });
  expect(rows.map(({ name, before, after }) => [name, before.kind, after.kind])).toEqual([
    ['persona › tone', 'text', 'text'],
    ['persona › avatar emoji', 'empty', 'text'],
  ]);
});

it('shows an object that came or went by its parts, and one that became a text as it is', () => {
  const came = changeRows({ changes: [{ field: 'metadata', before: {}, after: { size: 3 } }] });
  expect(came.map(({ name }) => name)).toEqual(['metadata › size']);
  const cut = changeRows({ changes: [{ field: 'metadata', before: { size: 3 }, after: '{"size": 3…' }] });
  expect(cut).toMatchObject([{ name: 'metadata', before: { kind: 'json' }, after: { kind: 'text' } }]);
});
