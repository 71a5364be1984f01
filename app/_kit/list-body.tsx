import type { ReactNode } from 'react';
import { ErrorState } from './error-state';
import { LoadMore } from './load-more';
import { SkeletonLines } from './skeleton-lines';
import { Surface } from './surface';

interface ListBodyProps {
  /** The plural of the rows, as in "Couldn’t load customers": "customers". */
  what: string;
  error: unknown;
  onRetry: () => void;
  /** What still works after a failure. */
  reassurance?: string | undefined;
  isLoaded: boolean;
  isEmpty: boolean;
  /** Shown if there are no rows. */
  empty: ReactNode;
  /** The approximate number of expected rows. */
  lines?: number;
  children: ReactNode;
}

/** The content of a list in each of its states: an error with a retry, a skeleton, an empty state, or rows. */
export function ListBody(props: ListBodyProps) {
  const { what, error, onRetry, reassurance, isLoaded, isEmpty, empty, lines = 8, children } = props;
  if (error) {
    return <ErrorState error={error} onRetry={onRetry} title={`Couldn’t load ${what}`} {...(reassurance && { reassurance })} />;
  }
  if (!isLoaded) return <SkeletonLines lines={lines} label={`Loading ${what}`} />;
  return isEmpty ? empty : children;
}

/** The part of `usePages`' result that a list shows. */
interface Pages {
  items: readonly unknown[];
  isLoaded: boolean;
  /** True while the rows belong to the previous search. */
  isStale: boolean;
  hasMore: boolean;
  isLoadingMore: boolean;
  hasFailedToLoadMore: boolean;
  loadMore: () => void;
  error: unknown;
  retry: () => void;
}

interface LoadMoreListProps extends Pick<ListBodyProps, 'what' | 'reassurance' | 'empty' | 'lines' | 'children'> {
  /** The list's accessible name. */
  label: string;
  pages: Pages;
  /** Filters and links above the list. */
  header?: ReactNode;
  /** What failed to load: "more emails". */
  more: string;
  loadMoreLabel?: string;
}

/** A list with a button that loads its next page. */
export function LoadMoreList({ label, pages, header, more, loadMoreLabel = 'Load more', children, ...body }: LoadMoreListProps) {
  return (
    <section aria-label={label}>
      {header && <div className="mb-3 flex flex-wrap items-center gap-2">{header}</div>}
      <Surface isList>
        <ListBody
          {...body}
          error={pages.error}
          onRetry={pages.retry}
          isLoaded={pages.isLoaded}
          isEmpty={pages.items.length === 0}
        >
          <div
            aria-busy={pages.isStale}
            className={`transition-opacity duration-150 ${pages.isStale ? 'opacity-60 delay-150' : ''}`}
          >
            {children}
          </div>
        </ListBody>
      </Surface>
      {pages.hasMore && !pages.error && (
        <div className="mt-4">
          <LoadMore
            label={loadMoreLabel}
            what={more}
            isLoading={pages.isLoadingMore}
            hasFailed={pages.hasFailedToLoadMore}
            onLoadMore={pages.loadMore}
          />
        </div>
      )}
    </section>
  );
}
