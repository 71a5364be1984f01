'use client';

import { Dropdown } from '@heroui/react/dropdown';
import { Ellipsis } from 'lucide-react';
import Link from 'next/link';
import { usePathname, useRouter } from 'next/navigation';
import { leavePage } from '@/app/_components/unsaved-changes';
import { isCurrent, mainEntries, type NavEntry, setupEntries } from './nav-entries';

/** The places of daily use that fit beside "More". */
const places = 4;
const directEntries = mainEntries.slice(0, places);
const otherEntries = [...mainEntries.slice(places), ...setupEntries];

/** Navigation on a phone, within reach of the thumb: four places, and a menu with the others. */
export function BottomBar() {
  const pathname = usePathname();
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
              <Link href={entry.href} aria-current={current ? 'page' : undefined} className={placeClass(current)}>
                <entry.icon aria-hidden className="size-5" strokeWidth={1.75} />
                {entry.label}
              </Link>
            </li>
          );
        })}
        <li>
          <MorePlaces current={otherEntries.find((entry) => isCurrent(entry, pathname))} />
        </li>
      </ul>
    </nav>
  );
}

function placeClass(isHere: boolean): string {
  return `flex h-14 w-full flex-col items-center justify-center gap-1 text-xs -outline-offset-2 ${isHere ? 'font-medium text-accent-text' : 'text-muted'}`;
}

/** What does not fit the bar. Stands out while one of its places is open, and names it. */
function MorePlaces({ current }: { current: NavEntry | undefined }) {
  const router = useRouter();
  return (
    <Dropdown>
      <Dropdown.Trigger aria-label={current ? `More, now at ${current.label}` : 'More'} className={placeClass(Boolean(current))}>
        <Ellipsis aria-hidden className="size-5" strokeWidth={1.75} />
        More
      </Dropdown.Trigger>
      <Dropdown.Popover placement="top end" className="w-56">
        <Dropdown.Menu aria-label="More" onAction={(href) => leavePage(() => router.push(String(href)))}>
          {otherEntries.map((entry) => (
            <Dropdown.Item key={entry.href} id={entry.href} textValue={entry.label}>
              <entry.icon aria-hidden className="size-4 text-muted" strokeWidth={1.75} />
              <span className={entry === current ? 'font-medium text-accent-text' : undefined}>{entry.label}</span>
            </Dropdown.Item>
          ))}
        </Dropdown.Menu>
      </Dropdown.Popover>
    </Dropdown>
  );
}
