import { isAllowed } from '@/app/_kit/permission';
import type { LiveCounts } from '@/server/features/conversations/conversation.schema';
import type { TeamRole } from '@/server/platform/auth/team-roles.schema';
import type { NavEntry } from './section';
import { sections } from './sections';
import { pagePermission } from './team/page-permission';

const entries = sections.map(({ entry }) => entry);

/** The dashboard's pages, in the order of daily use. */
export const mainEntries: readonly NavEntry[] = entries.filter(({ group }) => group === 'main');

/** Pages for setup and occasional use. */
export const setupEntries: readonly NavEntry[] = entries.filter(({ group }) => group === 'setup');

/** True where `pathname` is the entry's page or one below it. */
export function isCurrent(entry: NavEntry, pathname: string): boolean {
  return pathname === entry.href || (entry.href !== '/' && pathname.startsWith(`${entry.href}/`));
}

/** False for a page that this role may not open. */
export function isOpenTo(role: TeamRole | null, href: string): boolean {
  const needs = pagePermission(href);
  return role === null || needs === undefined || isAllowed(role, needs);
}

/** The count of an entry's badge; 0 if it has none or nothing is known yet. */
export function badgeCount({ badge }: NavEntry, liveCounts: LiveCounts | undefined): number {
  return badge && liveCounts ? liveCounts[badge.count] : 0;
}

/** The entries to list now for this role. */
export function listedEntries(
  entries: readonly NavEntry[],
  { pathname, liveCounts, role }: { pathname: string; liveCounts: LiveCounts | undefined; role: TeamRole | null },
): NavEntry[] {
  return entries.filter(
    (entry) =>
      isOpenTo(role, entry.href) && (!entry.isOccasional || badgeCount(entry, liveCounts) > 0 || isCurrent(entry, pathname)),
  );
}
