import type { ReactNode } from 'react';
import { ErrorState } from '@/app/_kit/error-state';
import { LoadMore } from '@/app/_kit/load-more';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { Surface } from '@/app/_kit/surface';
import { exactTime, type ViewersClock } from './audit-days';
import type { Log } from './use-log';

interface LogListProps {
  /** What is listed: "Changes". */
  label: string;
  filters: ReactNode;
  log: Log<unknown>;
  /** Instead of the list where there is nothing in it. */
  empty: ReactNode;
  /** On the button that goes on where nothing was found so far. */
  searchOlderLabel?: string;
  /** The entries. */
  children: ReactNode;
}

/** A log, newest first: what narrows it down, its entries, and more of them. */
export function LogList({ label, filters, log, empty, searchOlderLabel = 'Load older', children }: LogListProps) {
  const name = label.toLowerCase();
  const isEmpty = log.items.length === 0;
  return (
    <section aria-label={label}>
      <div className="mb-3 flex flex-wrap items-center gap-2">{filters}</div>
      <Surface isList>
        {log.error ? (
          <ErrorState error={log.error} onRetry={log.retry} title={`The ${name} could not be loaded`} />
        ) : !log.isLoaded ? (
          <SkeletonLines lines={10} label={`Loading the ${name}`} />
        ) : isEmpty ? (
          empty
        ) : (
          <div aria-busy={log.isStale} className={`transition-opacity duration-150 ${log.isStale ? 'opacity-60 delay-150' : ''}`}>
            {children}
          </div>
        )}
      </Surface>
      {log.hasMore && !log.error && (
        <div className="mt-4">
          <LoadMore
            label={isEmpty ? searchOlderLabel : 'Load older'}
            what={`Older ${name}`}
            isLoading={log.isLoadingMore}
            hasFailed={log.hasFailedToLoadMore}
            onLoadMore={log.loadMore}
          />
        </div>
      )}
    </section>
  );
}

/** When an entry was made: short, and exactly on hover. `write` says what of it is seen. */
export function LogTime(props: {
  time: string;
  clock: ViewersClock;
  write: (time: string, clock: ViewersClock) => string;
  className?: string;
}) {
  const { time, clock, write, className = '' } = props;
  return (
    <time dateTime={time} title={exactTime(time, clock)} className={`tabular-nums text-muted ${className}`}>
      {write(time, clock)}
    </time>
  );
}
