import { expect, test } from 'vitest';
import type { MessageRecord } from '@/server/features/conversations/message.schema';
import type { NoteRecord } from '@/server/features/conversations/note.schema';
import { threadEntries } from './thread-entries';

const message = (id: string, createdAt: string) => ({ id, createdAt }) as MessageRecord;
const note = (id: string, createdAt: string) => ({ id, createdAt }) as NoteRecord;
const shown = (...given: Parameters<typeof threadEntries>) =>
  threadEntries(...given).map((entry) =>
    entry.kind === 'note' ? entry.note.id : `${entry.message.id}${entry.isLast ? '!' : ''}`,
  );

const messages = [message('m1', '2026-11-21T09:00:00.000Z'), message('m2', '2026-11-21T11:00:00.000Z')];
const notes = [
  note('n1', '2026-11-21T08:00:00.000Z'),
  note('n2', '2026-11-21T09:00:00.000Z'),
  note('n3', '2026-11-21T12:00:00.000Z'),
];

test('notes are among the messages, by time', () => {
  expect(shown(messages, notes, false)).toEqual(['n1', 'm1', 'n2', 'm2!', 'n3']);
});

test('notes from before the oldest loaded message wait for earlier messages', () => {
  expect(shown(messages, notes, true)).toEqual(['m1', 'n2', 'm2!', 'n3']);
  expect(shown([], notes, true)).toEqual(['n1', 'n2', 'n3']);
});
