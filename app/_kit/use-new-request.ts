'use client';

import { useSearchParams } from 'next/navigation';
import { useEffect, useEffectEvent } from 'react';

/** The query with which a page is asked to begin with something new: `/agents?new=1`. */
export const newRequest = 'new=1';

/** Begins something new where the address asks for it, once: the address is without the request from then on. */
export function useNewRequest(begin: () => void): void {
  const isAsked = useSearchParams().get('new') === '1';
  const beginNow = useEffectEvent(begin);
  useEffect(() => {
    const url = new URL(window.location.href);
    // Where several could, the first one does.
    if (!isAsked || url.searchParams.get('new') !== '1') return;
    url.searchParams.delete('new');
    window.history.replaceState(null, '', url);
    beginNow();
  }, [isAsked]);
}
