'use client';

import { ShieldCheck } from 'lucide-react';
import { useQueryStates } from 'nuqs';
import { Button } from '@/app/_components/button';
import { ChoiceFilter } from '@/app/_components/choice-filter';
import { EmptyState } from '@/app/_components/empty-state';
import { ErrorState } from '@/app/_components/error-state';
import { LoadMore } from '@/app/_components/load-more';
import { SkeletonLines } from '@/app/_components/skeleton-lines';
import { Surface } from '@/app/_components/surface';
import { useTRPC } from '@/app/_trpc/client';
import { usePages } from '@/app/_trpc/use-pages';
import type { SecurityList } from '@/server/modules/audit/security.schema';
import { securityInput, securitySearchParams } from '../search-params';
import { SecurityEventRow } from './security-event-row';
import { securityKindWords } from './security-words';
import { useViewersClock } from './use-viewers-clock';

const kinds = Object.entries(securityKindWords)
  // What concerns no account is for the operator alone.
  .filter(([value]) => value !== 'inbound_refused')
  .map(([value, label]) => ({ value, label }));

const eventsOf = (page: SecurityList) => page.events;

/** What was refused to or about this account and business, newest first. */
export function SecurityLog() {
  const [search, setSearch] = useQueryStates(securitySearchParams, { history: 'push' });
  const trpc = useTRPC();
  const clock = useViewersClock();
  const input = securityInput(search);
  const log = usePages({
    queryKey: trpc.audit.security.queryKey(input),
    pageAt: (before: string | null) => trpc.audit.security.queryOptions({ ...input, ...(before ? { before } : {}) }),
    first: null,
    next: (last) => last.next,
    itemsOf: eventsOf,
    keepsPrevious: true,
    refetchOnMount: 'always',
  });
  const showAll = () => void setSearch(null);
  return (
    <section aria-label="Security events">
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <ChoiceFilter
          label="Kind"
          anyLabel="Every kind"
          choices={kinds}
          value={search.kind ?? ''}
          onChange={(value) => void setSearch({ kind: (value || null) as typeof search.kind })}
        />
      </div>
      <Surface isList>
        {log.error ? (
          <ErrorState error={log.error} onRetry={log.retry} title="The security log could not be loaded" />
        ) : !log.isLoaded ? (
          <SkeletonLines lines={8} label="Loading the security log" />
        ) : log.items.length === 0 ? (
          <NoEvents isFiltered={search.kind !== null} onShowAll={showAll} />
        ) : (
          <ul aria-busy={log.isStale} className={`transition-opacity duration-150 ${log.isStale ? 'opacity-60 delay-150' : ''}`}>
            {log.items.map((event) => (
              <SecurityEventRow key={event.id} event={event} clock={clock} />
            ))}
          </ul>
        )}
      </Surface>
      {log.hasMore && !log.error && (
        <div className="mt-4">
          <LoadMore
            label="Load older"
            what="Older events"
            isLoading={log.isLoadingMore}
            hasFailed={log.hasFailedToLoadMore}
            onLoadMore={log.loadMore}
          />
        </div>
      )}
    </section>
  );
}

function NoEvents({ isFiltered, onShowAll }: { isFiltered: boolean; onShowAll: () => void }) {
  return (
    <EmptyState
      icon={ShieldCheck}
      title={isFiltered ? 'No event of this kind' : 'Nothing was refused'}
      description="Failed sign-ins, refused API keys and blocked requests of your account and this business appear here."
      action={
        isFiltered && (
          <Button variant="secondary" onPress={onShowAll}>
            Show all events
          </Button>
        )
      }
    />
  );
}
