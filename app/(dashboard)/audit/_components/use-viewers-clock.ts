'use client';

import { useMemo } from 'react';
import { useIsHydrated } from '@/app/_kit/use-is-hydrated';
import { useViewerLocale } from '@/app/_kit/viewer-format';
import type { ViewersClock } from './audit-days';

/** The viewer's zone and way of writing times; UTC on the server and while hydrating, so that both render the same. */
export function useViewersClock(): ViewersClock {
  const isHydrated = useIsHydrated();
  const viewerLocale = useViewerLocale();
  return useMemo(() => {
    // The dashboard speaks English.
    const locale = viewerLocale.startsWith('en') ? viewerLocale : 'en-GB';
    return isHydrated ? { locale } : { locale: 'en-GB', timeZone: 'UTC' };
  }, [isHydrated, viewerLocale]);
}
