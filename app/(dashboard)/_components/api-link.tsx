'use client';

import { Braces } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { pageCallsOf } from './api-drawer/page-calls';
import { openFrameOverlay } from './frame-overlay';

/** Preloads the drawer when it is about to be opened. */
const prepare = () => void import('./api-drawer/api-drawer');

/** Opens the calls behind the current page, for those who automate it. */
export function ApiLink() {
  const pathname = usePathname();
  if (pageCallsOf(pathname) === null) return null;
  return (
    // On a phone, the page's primary action floats on the right.
    <footer className="flex max-w-[1248px] px-4 pb-4 sm:justify-end sm:px-6">
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => openFrameOverlay('api')}
        onPointerEnter={prepare}
        onFocus={prepare}
        className="inline-flex h-7 items-center gap-1.5 rounded-md px-2 text-label text-muted hover:bg-background-tertiary hover:text-foreground"
      >
        <Braces aria-hidden className="size-4" />
        API
        <span className="sr-only"> calls for this page</span>
      </button>
    </footer>
  );
}
