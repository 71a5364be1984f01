'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useRole } from '@/app/_kit/use-permission';
import { PaletteButton } from './command-palette/palette-button';
import type { FrameProps } from './frame-props';
import { IdentitySwitcher } from './identity-switcher';
import { NavCount } from './nav-badge';
import { badgeCount, isCurrent, listedEntries, mainEntries, setupEntries } from './nav-entries';
import { NotificationBell } from './notifications/notification-bell';
import type { NavEntry } from './section';
import { useHydratedLiveCounts } from './use-live-counts';
import { UserMenu } from './user-menu';

/** Navigation on a laptop: the business, its pages and the signed-in account. */
export function Sidebar({ account, identity }: FrameProps) {
  return (
    <header className="fixed inset-y-0 left-0 z-20 hidden w-60 flex-col border-r border-border bg-background-secondary lg:flex">
      <div className="p-3">
        <IdentitySwitcher account={account} identity={identity} />
        <div className="flex gap-1.5 pt-2">
          <PaletteButton />
          <NotificationBell className="size-8" />
        </div>
      </div>
      <nav aria-label="Main" className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-3 py-1">
        <Entries entries={mainEntries} />
        <hr className="border-separator" />
        <Entries entries={setupEntries} />
      </nav>
      <div className="border-t border-separator p-3">
        <UserMenu user={account.user} placement="top" />
      </div>
    </header>
  );
}

function Entries({ entries }: { entries: readonly NavEntry[] }) {
  const pathname = usePathname();
  const liveCounts = useHydratedLiveCounts();
  const role = useRole();
  return (
    <ul className="flex flex-col gap-0.5">
      {listedEntries(entries, { pathname, liveCounts, role }).map((entry) => {
        const current = isCurrent(entry, pathname);
        return (
          <li key={entry.href}>
            <Link
              href={entry.href}
              aria-current={current ? 'page' : undefined}
              className={`flex h-8 items-center gap-2.5 rounded-md px-2 transition-colors duration-100 ${
                current ? 'bg-accent-soft font-medium text-accent-text' : 'text-foreground hover:bg-background-tertiary'
              }`}
            >
              <entry.icon aria-hidden className={`size-4 ${current ? '' : 'text-muted'}`} strokeWidth={1.75} />
              {entry.label}
              <NavCount badge={entry.badge} count={badgeCount(entry, liveCounts)} className="ml-auto" />
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
