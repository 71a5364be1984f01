'use client';

import { Braces } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { isCurrent, mainEntries, setupEntries } from './nav-entries';

const entries = [...mainEntries, ...setupEntries];

/** The calls behind the page at hand, for those who automate it. */
export function ApiLink() {
  const pathname = usePathname();
  const tag = entries.find((entry) => isCurrent(entry, pathname))?.apiTag;
  if (!tag) return null;
  return (
    <footer className="flex max-w-[1248px] justify-end px-4 pb-4 sm:px-6">
      <a
        href={`/docs#tag/${tag}`}
        className="inline-flex h-7 items-center gap-1.5 rounded-md px-2 text-label text-muted hover:bg-background-tertiary hover:text-foreground"
      >
        <Braces aria-hidden className="size-4" />
        API
        <span className="sr-only"> calls behind this page</span>
      </a>
    </footer>
  );
}
