import { StickyNote } from 'lucide-react';
import { LinkedText } from '@/app/_kit/linked-text';
import { RelativeTime } from '@/app/_kit/relative-time';
import type { NoteRecord } from '@/server/features/conversations/note.schema';
import { authorLabel } from './note-labels';

/** An internal note among the messages. */
export function Note({ note }: { note: NoteRecord }) {
  const author = authorLabel(note.author);
  return (
    <article
      aria-label={`Internal note by ${author}`}
      className="flex items-start gap-3 rounded-lg border border-border bg-warning-soft px-4 py-2.5"
    >
      <StickyNote aria-hidden className="mx-1.5 mt-1.5 size-4 shrink-0 text-warning-text" />
      <div className="min-w-0 flex-1">
        <header className="flex min-h-7 items-center gap-2 text-sm">
          <h2 className="min-w-0 truncate font-medium">{author}</h2>
          <span className="shrink-0 text-xs text-warning-text">Internal note</span>
          <RelativeTime value={note.createdAt} className="ml-auto shrink-0 text-xs text-muted" />
        </header>
        <LinkedText text={note.text} className="pb-1 text-sm leading-6" />
      </div>
    </article>
  );
}
