'use client';

import { usePathname, useRouter } from 'next/navigation';
import { useMemo } from 'react';
import type { PageKeys } from '@/app/_kit/page-keys';
import { leavePage } from '@/app/_kit/unsaved-changes';
import { usePageKeys } from '@/app/_kit/use-page-keys';
import { openFrameOverlay, toggleFrameOverlay } from '../frame-overlay';
import { frameKeys, newThingOf, placeKeys } from './frame-keys';

const noKeys: PageKeys<'new'> = { new: { keys: [], meaning: '' } };

/** Runs what keys stand for on every page. */
export function useFrameKeys(): void {
  const router = useRouter();
  const pathname = usePathname();
  const thing = newThingOf(pathname);
  const meaning = thing?.meaning;
  const newKeys = useMemo((): PageKeys<'new'> => (meaning === undefined ? noKeys : { new: { keys: ['n'], meaning } }), [meaning]);
  const goTo = (href: string) => leavePage(() => router.push(href));
  usePageKeys('This page', newKeys, thing && thing.href !== pathname ? { new: () => goTo(thing.href) } : {}, { isGlobal: true });
  usePageKeys(
    'Everywhere',
    frameKeys,
    { search: () => toggleFrameOverlay('palette'), help: () => openFrameOverlay('shortcuts') },
    { isGlobal: true },
  );
  const goes = Object.fromEntries(Object.keys(placeKeys).map((href) => [href, () => goTo(href)]));
  usePageKeys('Go to', placeKeys, goes, { isGlobal: true });
}
