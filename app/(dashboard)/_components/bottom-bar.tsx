'use client';

import { Ellipsis } from 'lucide-react';
import Link from 'next/link';
import { usePathname, useRouter } from 'next/navigation';
import { Dropdown } from '@/app/_kit/overlay/dropdown';
import { leavePage } from '@/app/_kit/unsaved-changes';
import { useRole } from '@/app/_kit/use-permission';
import type { LiveCounts } from '@/server/features/conversations/conversation.schema';
import { NavCount } from './nav-badge';
import { badgeCount, isCurrent, listedEntries, mainEntries, setupEntries } from './nav-entries';
import type { NavEntry } from './section';
import { useHydratedLiveCounts } from './use-live-counts';

/** How many entries fit beside "More". */
const directCount = 4;
const directEntries = mainEntries.slice(0, directCount);
const otherEntries = [...mainEntries.slice(directCount), ...setupEntries];

/** Navigation on a phone, within reach of the thumb: four entries and a menu with the rest. */
export function BottomBar() {
  const pathname = usePathname();
  const liveCounts = useHydratedLiveCounts();
  const role = useRole();
  return (
    <nav
      aria-label="Main"
      className="sticky bottom-0 z-20 border-t border-border bg-background-secondary pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      <ul className="grid auto-cols-fr grid-flow-col">
        {directEntries.map((entry) => {
          const current = isCurrent(entry, pathname);
          return (
            <li key={entry.href}>
              <Link href={entry.href} aria-current={current ? 'page' : undefined} className={entryClass(current)}>
                <entry.icon aria-hidden className="size-5" strokeWidth={1.75} />
                {entry.label}
                <NavCount badge={entry.badge} count={badgeCount(entry, liveCounts)} className={badgePosition} />
              </Link>
            </li>
          );
        })}
        <li>
          <MoreEntries
            entries={listedEntries(otherEntries, { pathname, liveCounts, role })}
            current={otherEntries.find((entry) => isCurrent(entry, pathname))}
            liveCounts={liveCounts}
          />
        </li>
      </ul>
    </nav>
  );
}

function entryClass(isHere: boolean): string {
  return `relative flex h-14 w-full flex-col items-center justify-center gap-1 text-xs -outline-offset-2 ${isHere ? 'font-medium text-accent-text' : 'text-muted'}`;
}

/** Position of a badge at the icon's upper right. */
const badgePosition = 'absolute top-1 left-1/2 ml-1.5';

interface MoreEntriesProps {
  entries: readonly NavEntry[];
  current: NavEntry | undefined;
  liveCounts: LiveCounts | undefined;
}

/**
 * The entries that do not fit the bar. It is highlighted and named after the entry that is open; a dot marks one that needs
 * attention.
 */
function MoreEntries({ entries, current, liveCounts }: MoreEntriesProps) {
  const router = useRouter();
  const troubled = entries.find((entry) => entry.badge?.tone === 'danger' && badgeCount(entry, liveCounts) > 0);
  const parts = [
    'More',
    ...(current ? [`current page: ${current.label}`] : []),
    ...(troubled ? [`needs attention: ${troubled.label}`] : []),
  ];
  return (
    <Dropdown>
      <Dropdown.Trigger aria-label={parts.join(', ')} className={entryClass(Boolean(current))}>
        <Ellipsis aria-hidden className="size-5" strokeWidth={1.75} />
        More
        {troubled && <span aria-hidden className="absolute top-2 left-1/2 ml-2.5 size-2 rounded-full bg-danger" />}
      </Dropdown.Trigger>
      <Dropdown.Popover placement="top end" className="w-56">
        <Dropdown.Menu aria-label="More" onAction={(href) => leavePage(() => router.push(String(href)))}>
          {entries.map((entry) => (
            <Dropdown.Item key={entry.href} id={entry.href} textValue={entry.label}>
              <entry.icon aria-hidden className="size-4 text-muted" strokeWidth={1.75} />
              <span className={entry === current ? 'font-medium text-accent-text' : undefined}>{entry.label}</span>
              <NavCount badge={entry.badge} count={badgeCount(entry, liveCounts)} className="ml-auto" />
            </Dropdown.Item>
          ))}
        </Dropdown.Menu>
      </Dropdown.Popover>
    </Dropdown>
  );
}
