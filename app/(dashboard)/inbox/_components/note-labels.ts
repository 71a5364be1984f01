import type { NoteRecord } from '@/server/features/conversations/note.schema';

const unnamed: Record<NoteRecord['author']['type'], string> = {
  user: 'A colleague',
  agent: 'An agent',
  api_key: 'An API key',
};

/** Who wrote a note. */
export function authorLabel({ type, name }: NoteRecord['author']): string {
  return name?.trim() || unnamed[type];
}
