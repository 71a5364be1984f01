import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '@/server/features/audit/audit.schema';
import { type AuditRow, foldEntries, foldSentence } from './fold-entries';

const system: AuditEntry['author'] = { kind: 'system', id: null, name: 'delivery' };
const sent = [{ field: 'state', before: 'queued', after: 'sent' }];

/** An email that was sent; each is another one. */
const entry = (id: number, given: Partial<AuditEntry> = {}): AuditEntry => ({
  id: String(id),
  occurredAt: '2026-11-21T10:00:00.000Z',
  author: system,
  agent: null,
  requestId: null,
  clientRequestId: null,
  resource: 'mail',
  resourceId: `m${id}`,
  parentId: null,
  label: `Invoice ${id}`,
  action: 'updated',
  changes: sent,
  ...given,
});

const ids = (entries: readonly AuditEntry[]) => foldEntries(entries).map((row) => row.map(({ id }) => id).join(' '));

/** The only row of these changes, in words. */
function told(...entries: AuditEntry[]): string {
  const rows = foldEntries(entries);
  expect(rows).toHaveLength(1);
  const { lead, name, what, names, times } = foldSentence(rows[0] as AuditRow);
  return `${[lead, name].filter(Boolean).join(' ')}${what}${names && ` · ${names}`}${times === null ? '' : ` (${times} times)`}`;
}

describe('rows', () => {
  it('are shared by three or more equal changes in a row', () => {
    expect(ids([entry(4), entry(3), entry(2)])).toEqual(['4 3 2']);
    expect(ids([entry(3), entry(2)])).toEqual(['3', '2']);
    expect(ids([])).toEqual([]);
  });

  it('are not shared across another change, and keep the order', () => {
    const failed = entry(6, { changes: [{ field: 'state', before: 'queued', after: 'failed' }] });
    const entries = [entry(9), entry(8), entry(7), failed, entry(5), entry(4)];
    expect(ids(entries)).toEqual(['9 8 7', '6', '5', '4']);
  });

  it('grow with what is loaded below', () => {
    const entries = [entry(5), entry(4), entry(3), entry(2)];
    expect(ids(entries.slice(0, 2))).toEqual(['5', '4']);
    expect(ids(entries)).toEqual(['5 4 3 2']);
  });

  it.each<[string, Partial<AuditEntry>]>([
    ['kind', { resource: 'message' }],
    ['action', { action: 'deleted' }],
    ['author', { author: { kind: 'owner', id: 'u1', name: 'Ann' } }],
    ['cause', { author: { ...system, name: 'reminders' } }],
    ['agent', { agent: { id: 'a1', name: 'Helper' } }],
    ['change', { changes: [{ field: 'subject', before: 'a', after: 'b' }] }],
  ])('are apart for another %s', (_what, other) => {
    expect(ids([entry(4), entry(3, other), entry(2)])).toEqual(['4', '3', '2']);
  });

  it('are apart for sign-ins from another browser', () => {
    const signIn = (id: number, label: string) => entry(id, { resource: 'session', action: 'created', label, changes: [] });
    const entries = [
      signIn(5, 'Firefox/1 X11'),
      signIn(4, 'Firefox/1 X11'),
      signIn(3, 'Firefox/2 X11'),
      signIn(2, 'Chrome/1 X11'),
    ];
    expect(ids(entries)).toEqual(['5 4 3', '2']);
    expect(told(...entries.slice(0, 3))).toBe('Signed in from Firefox on Linux (3 times)');
  });
});

describe('a shared row', () => {
  it('says how many records it is about, and names some', () => {
    expect(told(entry(4), entry(3), entry(2))).toBe('3 emails sent · Invoice 4, Invoice 3, Invoice 2');
    expect(told(entry(5), entry(4), entry(3), entry(2))).toBe('4 emails sent · Invoice 5, Invoice 4, Invoice 3…');
    const companies = [7, 6, 5].map((id) =>
      entry(id, { resource: 'customer', changes: [{ field: 'tags', before: [], after: ['vip'] }] }),
    );
    expect(told(...companies)).toBe('3 customers: tags changed · Invoice 7, Invoice 6, Invoice 5');
    const keys = [7, 6, 5].map((id) => entry(id, { resource: 'api_key', action: 'created', label: 'Importer' }));
    expect(told(...keys)).toBe('3 API keys created · Importer');
  });

  it('names no records without a name', () => {
    const nameless = [7, 6, 5].map((id) => entry(id, { resource: 'message', action: 'deleted', label: '' }));
    expect(told(...nameless)).toBe('3 messages deleted');
    const pictures = [7, 6, 5].map((id) => entry(id, { resource: 'picture', action: 'created', label: '' }));
    expect(told(...pictures)).toBe('3 images uploaded');
  });

  it('says how often one record changed', () => {
    const changes = [{ field: 'notes', before: 'a', after: 'b' }];
    const change = (id: number, resourceId: string) => entry(id, { resource: 'customer', resourceId, label: 'Quark', changes });
    expect(told(change(4, 'c1'), change(3, 'c1'), change(2, 'c1'))).toBe('Customer Quark: notes changed (3 times)');
    expect(told(change(4, 'c1'), change(3, 'c2'), change(2, 'c1'))).toBe('2 customers: notes changed · Quark (3 times)');
  });

  it('tells escalation steps of several agents apart', () => {
    const step = (id: number, parentId: string) =>
      entry(id, { resource: 'escalation_route', resourceId: '1', parentId, action: 'created', label: '' });
    expect(told(step(4, 'a1'), step(3, 'a2'), step(2, 'a3'))).toBe('3 escalation steps added · 1');
  });
});
