import { Bot, Gauge, House, KeyRound, type LucideIcon, Settings, Store, Users } from 'lucide-react';

export interface NavEntry {
  href: string;
  label: string;
  icon: LucideIcon;
  /** Operations of the API reference behind this page. */
  apiTag?: string;
}

/** The dashboard's places, in the order of daily use. */
export const mainEntries: readonly NavEntry[] = [
  { href: '/', label: 'Home', icon: House },
  { href: '/customers', label: 'Customers', icon: Users, apiTag: 'customers' },
  { href: '/agents', label: 'Agents', icon: Bot, apiTag: 'agents' },
  { href: '/usage', label: 'Usage', icon: Gauge, apiTag: 'usage' },
];

/** What is set up once and looked at now and then. */
export const setupEntries: readonly NavEntry[] = [
  { href: '/identity', label: 'Business profile', icon: Store, apiTag: 'identity' },
  { href: '/api-keys', label: 'API keys', icon: KeyRound },
  { href: '/settings', label: 'Settings', icon: Settings },
];

/** True where `pathname` is the entry's page or one below it. */
export function isCurrent(entry: NavEntry, pathname: string): boolean {
  return pathname === entry.href || (entry.href !== '/' && pathname.startsWith(`${entry.href}/`));
}
