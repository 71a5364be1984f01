'use client';

import { CloudOff } from 'lucide-react';
import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect, useSyncExternalStore } from 'react';
import { useIsOnline } from '@/app/_kit/use-is-online';
import { followPageRequests, noPageRequests, pageArrived, pageRequests, watchPageRequests } from './page-requests';

/**
 * Shows that a page is loading, and says if there is no connection. Then the current page stays and the request is retried
 * automatically.
 */
export function PageProgress() {
  const { isLoading, isUnreachable } = useSyncExternalStore(followPageRequests, pageRequests, noPageRequests);
  const isOnline = useIsOnline();
  const pathname = usePathname();
  const search = useSearchParams().toString();
  useEffect(watchPageRequests, []);
  useEffect(() => {
    if (pathname !== '' || search !== '') pageArrived();
  }, [pathname, search]);

  const isCut = !isOnline || isUnreachable;
  return (
    <>
      {isLoading && !isCut && (
        <div
          role="progressbar"
          aria-label="Loading the page"
          className="page-progress fixed inset-x-0 top-0 z-60 h-0.75 overflow-hidden"
        >
          <div className="h-full bg-accent" />
        </div>
      )}
      <div role="status" className="sticky top-14 z-30 empty:hidden lg:top-0">
        {isCut && (
          <p className="flex items-start gap-2 border-b border-border bg-warning-soft px-4 py-2 text-label text-warning-text sm:px-6">
            <CloudOff aria-hidden className="mt-0.5 size-4 shrink-0" />
            <span>
              <span className="font-medium">{isOnline ? 'The server can’t be reached.' : 'You are offline.'}</span>{' '}
              {isLoading
                ? 'The page you chose opens when the connection is back.'
                : 'You can keep working on this page. It reconnects automatically.'}
            </span>
          </p>
        )}
      </div>
    </>
  );
}
