import type { MessageRecord } from '@/server/features/conversations/message.schema';
import type { NoteRecord } from '@/server/features/conversations/note.schema';

export type ThreadEntry = { kind: 'message'; message: MessageRecord; isLast: boolean } | { kind: 'note'; note: NoteRecord };

/**
 * Messages and notes by time, each given oldest first. Notes from before the oldest loaded message wait until earlier messages are
 * loaded.
 */
export function threadEntries(
  messages: readonly MessageRecord[],
  notes: readonly NoteRecord[],
  hasEarlierMessages: boolean,
): ThreadEntry[] {
  const from = hasEarlierMessages ? (messages[0]?.createdAt ?? '') : '';
  const entries: (ThreadEntry & { at: string })[] = [
    ...messages.map((message, index) => ({
      ...({ kind: 'message', message, isLast: index === messages.length - 1 } as const),
      at: message.createdAt,
    })),
    ...notes.filter(({ createdAt }) => createdAt >= from).map((note) => ({ kind: 'note', note, at: note.createdAt }) as const),
  ];
  // Stable: of the same moment, the message comes first.
  return entries.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}
