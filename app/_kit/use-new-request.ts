import { useSearchParams } from 'next/navigation';
import { useEffect, useEffectEvent } from 'react';

/** The query that asks a page to open its form for a new record: `/agents?new=1`. */
export const newRequest = 'new=1';

/** Opens a form for a new record if the address asks for it, once: the query is then removed. */
export function useNewRequest(begin: () => void): void {
  const isAsked = useSearchParams().get('new') === '1';
  const beginNow = useEffectEvent(begin);
  useEffect(() => {
    const url = new URL(window.location.href);
    // If several components could, the first one does.
    if (!isAsked || url.searchParams.get('new') !== '1') return;
    url.searchParams.delete('new');
    window.history.replaceState(null, '', url);
    beginNow();
  }, [isAsked]);
}
