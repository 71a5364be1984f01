'use client';

import { Check, CircleAlert, LoaderCircle } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useViewerLocale } from '@/app/_kit/viewer-format';
import type { BlogPostPreview } from '@/server/features/blog/blog-site.schema';
import type { PostSession } from './post-session';
import { describeSave } from './save-words';
import { usePostView } from './use-post-view';

function subscribeToConnection(onChange: () => void): () => void {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}

/** A time of today as such, any other as a date; in the viewer's zone, and in the dashboard's language. */
function momentIn(viewerLocale: string): (moment: Date) => string {
  const locale = viewerLocale.startsWith('en') ? viewerLocale : 'en-GB';
  return (moment) =>
    moment.toDateString() === new Date().toDateString()
      ? moment.toLocaleTimeString(locale, { hour: 'numeric', minute: '2-digit' })
      : moment.toLocaleDateString(locale, { day: 'numeric', month: 'short', year: 'numeric' });
}

/** Where what is typed is: on the server, in this browser, or with readers. Only trouble is announced; the rest is there to be looked at. */
export function SaveStatus({ session }: { session: PostSession }) {
  const view = usePostView(session, (current) => current);
  const isOnline = useSyncExternalStore(
    subscribeToConnection,
    () => navigator.onLine,
    () => true,
  );
  const locale = useViewerLocale();
  const { text, tone } = describeSave(view, { isOnline, time: momentIn(locale) });
  return (
    <>
      <p
        data-save-status
        title={text}
        className={`flex min-w-0 items-center gap-1.5 text-label ${tone === 'trouble' ? 'text-warning-text' : 'text-muted'}`}
      >
        {tone === 'trouble' && <CircleAlert aria-hidden className="size-4 shrink-0" />}
        {view.isSaving && tone !== 'trouble' && <LoaderCircle aria-hidden className="size-3.5 shrink-0 animate-spin" />}
        {tone === 'quiet' && view.post && !view.isDirty && <Check aria-hidden className="size-4 shrink-0 text-success-text" />}
        <span className="lg:truncate">{text}</span>
      </p>
      <span role="status" className="sr-only">
        {tone === 'trouble' ? text : ''}
      </span>
    </>
  );
}

/** How long the text is; keeps the last answer while a new one is on its way. */
export function TextLength({ preview }: { preview: BlogPostPreview | null }) {
  const locale = useViewerLocale();
  if (!preview) return null;
  const { wordCount, readingMinutes } = preview;
  return (
    <p className="text-label whitespace-nowrap text-muted">
      {wordCount.toLocaleString(locale)} {wordCount === 1 ? 'word' : 'words'}
      {wordCount > 0 && (
        <>
          {' · '}
          {readingMinutes} min<span className="sr-only">utes</span> read
        </>
      )}
    </p>
  );
}
