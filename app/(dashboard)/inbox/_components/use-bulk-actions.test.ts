import { expect, test } from 'vitest';
import type { ConversationRecord } from '@/server/features/conversations/conversation.schema';
import { undoOf } from './use-bulk-actions';

const conversation = (id: string, changes: Partial<ConversationRecord>) =>
  ({ id, isArchived: false, snoozedUntil: null, isRead: false, ...changes }) as ConversationRecord;

test('what was the same before is undone by one change', () => {
  const chosen = [
    conversation('a', {}),
    conversation('b', { isArchived: true }),
    conversation('c', {}),
    conversation('d', { isArchived: true, snoozedUntil: '2026-12-01T08:00:00.000Z' }),
  ];
  expect(undoOf(chosen, { isArchived: true, snoozedUntil: null })).toEqual([
    { ids: ['a', 'c'], change: { isArchived: false, snoozedUntil: null } },
    { ids: ['b'], change: { isArchived: true, snoozedUntil: null } },
    { ids: ['d'], change: { isArchived: true, snoozedUntil: '2026-12-01T08:00:00.000Z' } },
  ]);
  expect(undoOf(chosen, { isRead: true })).toEqual([{ ids: ['a', 'b', 'c', 'd'], change: { isRead: false } }]);
});
