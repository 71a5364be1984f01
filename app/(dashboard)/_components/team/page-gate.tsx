'use client';

import dynamic from 'next/dynamic';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { usePermission } from '@/app/_kit/use-permission';
import { isAccountPage, pagePermission } from './page-permission';

// Loaded on demand: most people never see them, and every page includes what this file imports.
const BlockedPage = dynamic(() => import('./blocked-page').then((module) => module.BlockedPage));

interface PageGateProps {
  /** The name of the business that requires a second factor which this account lacks; null if it may work. */
  requiresTwoFactorOf: string | null;
  children: ReactNode;
}

/** Shows a page, or why this member can't open it. The server decides for itself; this only explains. */
export function PageGate({ requiresTwoFactorOf, children }: PageGateProps) {
  const pathname = usePathname();
  const needs = pagePermission(pathname);
  const { isAllowed } = usePermission(needs);
  const business = isAccountPage(pathname) ? null : requiresTwoFactorOf;
  return business !== null || !isAllowed ? <BlockedPage business={business} needs={needs} /> : children;
}
