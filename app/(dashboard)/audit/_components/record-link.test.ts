import { expect, it } from 'vitest';
import type { AuditEntry } from '@/server/features/audit/audit.schema';
import { deletedIds, historyId, isGone, recordLink } from './record-link';

const entry = (given: Partial<AuditEntry>) =>
  ({ resource: 'customer', resourceId: 'c1', parentId: null, action: 'updated', ...given }) as AuditEntry;

it('leads to the record, or to what it is a part of', () => {
  expect(recordLink(entry({}))?.href).toBe('/customers/c1');
  expect(recordLink(entry({ resource: 'contact', resourceId: 'g1', parentId: 'c1' }))?.href).toBe('/customers/c1');
  expect(recordLink(entry({ resource: 'contact', resourceId: 'g1' }))).toBeNull();
  expect(recordLink(entry({ resource: 'invitee', parentId: 'e1' }))?.href).toBe('/calendar?event=e1');
  expect(recordLink(entry({ resource: 'picture' }))).toBeNull();
  expect(historyId(entry({ resource: 'invitee', resourceId: 'i1', parentId: 'e1' }))).toBe('e1');
});

it('leads nowhere once the record, or the whole it is a part of, is gone', () => {
  const entries = [entry({ action: 'deleted' }), entry({}), entry({ resource: 'contact', resourceId: 'g1', parentId: 'c1' })];
  const deleted = deletedIds(entries);
  expect(entries.map((one) => isGone(one, deleted))).toEqual([true, true, true]);
  expect(isGone(entry({ resourceId: 'c2' }), deleted)).toBe(false);
  // Restored, it is there.
  const restored = [entry({ action: 'created' }), ...entries];
  expect(restored.map((one) => isGone(one, deletedIds(restored)))).toEqual([false, false, false, false]);
  // A deleted route links to its agent, whose page shows the other routes.
  const route = entry({ resource: 'escalation_route', resourceId: '1', parentId: 'a1', action: 'deleted' });
  expect(isGone(route, deletedIds([route]))).toBe(false);
  const invitee = entry({ resource: 'invitee', resourceId: 'i1', parentId: 'e1', action: 'deleted' });
  expect(isGone(invitee, deletedIds([invitee]))).toBe(false);
});
