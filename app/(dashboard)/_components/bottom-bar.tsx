'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { isCurrent, mainEntries, setupEntries } from './nav-entries';

const entries = [...mainEntries, ...setupEntries];

/** Navigation on a phone, within reach of the thumb. */
export function BottomBar() {
  const pathname = usePathname();
  return (
    <nav
      aria-label="Main"
      className="sticky bottom-0 z-20 border-t border-border bg-background-secondary pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      <ul className="grid grid-cols-5">
        {entries.map((entry) => {
          const current = isCurrent(entry, pathname);
          return (
            <li key={entry.href}>
              <Link
                href={entry.href}
                aria-current={current ? 'page' : undefined}
                className={`flex h-14 flex-col items-center justify-center gap-1 text-xs ${
                  current ? 'font-medium text-accent-text' : 'text-muted'
                }`}
              >
                <entry.icon aria-hidden className="size-5" strokeWidth={1.75} />
                {entry.shortLabel ?? entry.label}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
