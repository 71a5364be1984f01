import { ChevronLeft } from 'lucide-react';
import Link from 'next/link';
import { isPlainClick } from '@/app/_kit/plain-click';
import { useInbox } from './inbox-context';

/** The way back where list and thread are a page each. */
export function BackToList() {
  const { listHref, close } = useInbox();
  return (
    <Link
      href={listHref}
      onClick={(event) => {
        if (!isPlainClick(event)) return;
        event.preventDefault();
        close();
      }}
      className="mr-auto -ml-1 inline-flex min-h-8 items-center gap-0.5 text-label text-muted hover:text-foreground lg:hidden"
    >
      <ChevronLeft aria-hidden className="size-4" />
      Inbox
    </Link>
  );
}
