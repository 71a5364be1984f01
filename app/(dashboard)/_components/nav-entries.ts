import {
  Bot,
  CalendarDays,
  Gauge,
  House,
  Inbox,
  KeyRound,
  type LucideIcon,
  Newspaper,
  ScrollText,
  Send,
  Settings,
  ShieldAlert,
  Store,
  Users,
} from 'lucide-react';
import { isAllowed } from '@/app/_kit/permission';
import type { LiveCounts } from '@/server/features/conversations/conversation.schema';
import type { TeamRole } from '@/server/platform/auth/team-roles.schema';
import { pagePermission } from './team/page-permission';

/** A count shown beside an entry unless it is 0. */
export interface NavBadge {
  count: keyof Pick<LiveCounts, 'unread' | 'failedMails' | 'quarantined'>;
  /** Unit for screen readers: "4 unread". */
  unit: string;
  /** `danger` if it requires action. */
  tone: 'plain' | 'danger';
}

export interface NavEntry {
  href: string;
  label: string;
  icon: LucideIcon;
  badge?: NavBadge;
  /** True for an entry that is listed only while its badge counts something, or while its page is open. */
  isOccasional?: boolean;
}

/** The dashboard's pages, in the order of daily use. */
export const mainEntries: readonly NavEntry[] = [
  { href: '/', label: 'Home', icon: House },
  {
    href: '/inbox',
    label: 'Inbox',
    icon: Inbox,
    badge: { count: 'unread', unit: 'unread', tone: 'plain' },
  },
  { href: '/calendar', label: 'Calendar', icon: CalendarDays },
  { href: '/customers', label: 'Customers', icon: Users },
  { href: '/agents', label: 'Agents', icon: Bot },
  { href: '/posts', label: 'Blog', icon: Newspaper },
  { href: '/usage', label: 'Usage', icon: Gauge },
];

/** Pages for setup and occasional use. */
export const setupEntries: readonly NavEntry[] = [
  { href: '/outbox', label: 'Sent & delivery', icon: Send, badge: { count: 'failedMails', unit: 'failed', tone: 'danger' } },
  {
    href: '/quarantine',
    label: 'Blocked messages',
    icon: ShieldAlert,
    badge: { count: 'quarantined', unit: 'blocked', tone: 'plain' },
    isOccasional: true,
  },
  { href: '/identity', label: 'Business profile', icon: Store },
  { href: '/api-keys', label: 'API keys', icon: KeyRound },
  { href: '/audit', label: 'Audit log', icon: ScrollText },
  { href: '/settings', label: 'Settings', icon: Settings },
];

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
