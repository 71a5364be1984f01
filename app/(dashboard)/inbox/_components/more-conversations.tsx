'use client';

import { useEffect, useEffectEvent, useRef } from 'react';
import { LoadMore } from '@/app/_kit/load-more';
import { useInbox } from './inbox-context';

/** How far before the end of the list the next page is asked for. */
const ahead = '400px';

/** The end of the list: fetches the next page when it comes near, and is a button for those who can't scroll. */
export function MoreConversations() {
  const { list } = useInbox();
  const end = useRef<HTMLDivElement>(null);
  const { hasMore, isLoadingMore, hasFailedToLoadMore } = list;
  const loadMore = useEffectEvent(list.loadMore);

  useEffect(() => {
    if (!end.current || !hasMore || isLoadingMore || hasFailedToLoadMore) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) loadMore();
      },
      { rootMargin: ahead },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasMore, isLoadingMore, hasFailedToLoadMore]);

  if (list.isCutOff) {
    return <p className="px-4 py-3 text-center text-label text-muted">Only the newest are listed. Search to find older ones.</p>;
  }
  if (!hasMore) return null;
  return (
    <div ref={end} className="px-4 py-2">
      <LoadMore
        what="More conversations"
        isLoading={isLoadingMore}
        hasFailed={hasFailedToLoadMore}
        onLoadMore={list.loadMore}
        variant="ghost"
      />
    </div>
  );
}
