'use client';

import { MailOpen } from 'lucide-react';
import { useInbox } from './inbox-context';

/** Placeholder for a thread while none is open. */
export function NothingOpen() {
  const { rows } = useInbox().list;
  // An empty list explains what to do itself.
  if (rows.length === 0) return null;
  return (
    <div className="flex h-full flex-col items-center justify-center gap-3 px-6 text-center text-muted">
      <MailOpen aria-hidden className="size-6" strokeWidth={1.5} />
      <p>
        Select a conversation (or press <kbd className="rounded-sm border border-border px-1.5 font-sans text-xs">J</kbd>)
      </p>
    </div>
  );
}
