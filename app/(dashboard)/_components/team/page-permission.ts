import type { Permission } from '@/server/platform/auth/scopes.schema';
import { sections } from '../sections';

const isWithin = (pathname: string, path: string) => pathname === path || pathname.startsWith(`${path}/`);

/** What a page needs to be opened at all; undefined for one that every role reads. */
export function pagePermission(pathname: string): Permission | undefined {
  return sections.flatMap(({ needs = [] }) => needs).find(([path]) => isWithin(pathname, path))?.[1];
}

/** Settings of the account rather than of the business, which work without its second factor. */
const accountPages = ['/settings/profile', '/settings/sign-in', '/settings/appearance'];

/** True for a page about the account alone. */
export function isAccountPage(pathname: string): boolean {
  return pathname === '/settings' || accountPages.includes(pathname);
}
