'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useQueryStates } from 'nuqs';
import { useRef } from 'react';
import { ErrorState } from '@/app/_kit/error-state';
import { ListTotal } from '@/app/_kit/list-total';
import { Pagination } from '@/app/_kit/pagination';
import { Surface } from '@/app/_kit/surface';
import { useTRPC } from '@/app/_trpc/client';
import { agentSearchParams, agentSearchQuery, agentsPerPage, listInput, pageOf } from '../search-params';
import { AgentCard, galleryGrid } from './agent-card';
import { AgentFilters } from './agent-filters';
import { EmptyAgentGallery } from './empty-agent-gallery';
import { GallerySkeleton } from './gallery-skeleton';

/** The agents as cards, with what narrows them down. While the next answer is on its way, the cards at hand stay. */
export function AgentGallery() {
  const trpc = useTRPC();
  const top = useRef<HTMLElement>(null);
  const [search, setSearch] = useQueryStates(agentSearchParams, { history: 'push' });
  const { data, error, isPlaceholderData, refetch, isFetching } = useQuery(
    trpc.agents.list.queryOptions(listInput(search), { placeholderData: keepPreviousData }),
  );

  const showPage = (page: number) => {
    void setSearch({ page }, { scroll: false });
    top.current?.scrollIntoView({ block: 'nearest' });
  };

  if (data?.total === 0 && !search.q && !search.status && !isPlaceholderData) return <EmptyAgentGallery kind="none" />;
  return (
    <section ref={top} aria-label="Agents" className="scroll-mt-20">
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <AgentFilters />
        {data && <ListTotal total={data.total} one="agent" many="agents" order="by name" />}
      </div>
      {error && !isFetching ? (
        <Surface>
          <ErrorState error={error} onRetry={() => void refetch()} title="The agents could not be loaded" />
        </Surface>
      ) : !data ? (
        <GallerySkeleton />
      ) : data.agents.length === 0 ? (
        <EmptyAgentGallery kind={data.total > 0 ? 'no-such-page' : 'nothing-found'} />
      ) : (
        <ul
          aria-busy={isPlaceholderData}
          className={`transition-opacity duration-150 ${galleryGrid} ${isPlaceholderData ? 'opacity-60 delay-150' : ''}`}
        >
          {data.agents.map((agent) => (
            <li key={agent.id} className="min-w-0">
              <AgentCard agent={agent} />
            </li>
          ))}
        </ul>
      )}
      {data && !error && (
        <div className="mt-4 flex justify-center max-md:mb-16">
          <Pagination
            label="agents"
            page={pageOf(search)}
            pageSize={agentsPerPage}
            total={data.total}
            totalIsExact
            hasMore={data.pagination.hasMore}
            hrefFor={(page) => `/agents${agentSearchQuery({ ...search, page })}`}
            onPageChange={showPage}
          />
        </div>
      )}
    </section>
  );
}
