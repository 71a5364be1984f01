'use client';

import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { EmptyState } from '@/app/_components/empty-state';
import { ErrorState } from '@/app/_components/error-state';
import { LoadMore } from '@/app/_components/load-more';
import { SkeletonLines } from '@/app/_components/skeleton-lines';
import { Surface } from '@/app/_components/surface';
import { useTRPC } from '@/app/_trpc/client';
import { useFramePulse } from '../../_components/use-frame-pulse';
import { QuarantinedMail } from './quarantined-mail';

/** The messages in quarantine, newest first, page after page. */
function useQuarantine() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const count = useFramePulse()?.quarantined;
  const optionsAt = (before: string | null) => trpc.mail.quarantine.queryOptions(before ? { before } : {}, { staleTime: 0 });
  const firstPage = queryClient.getQueryState(optionsAt(null).queryKey);
  const query = useInfiniteQuery({
    queryKey: [...trpc.mail.quarantine.queryKey({}), 'pages'],
    queryFn: ({ pageParam }) => queryClient.fetchQuery(optionsAt(pageParam)),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    // What the server prefetched.
    ...(firstPage?.data
      ? { initialData: { pages: [firstPage.data], pageParams: [null] }, initialDataUpdatedAt: firstPage.dataUpdatedAt }
      : {}),
    placeholderData: keepPreviousData,
  });
  const { refetch } = query;
  const lastCount = useRef(count);
  useEffect(() => {
    const previous = lastCount.current;
    lastCount.current = count;
    if (previous !== undefined && previous !== count) void refetch();
  }, [count, refetch]);
  return query;
}

/** Messages that were put aside: why, whose they were, and what can be done with them. */
export function Quarantine() {
  const trpc = useTRPC();
  const account = useQuery(trpc.account.get.queryOptions({}));
  const query = useQuarantine();
  const mails = query.data?.pages.flatMap((page) => page.mails);
  const identityId = account.data?.identityId;
  const error = query.error ?? account.error;

  if (!mails || !identityId) {
    return (
      <Surface>
        {error && !query.isFetching && !account.isFetching ? (
          <ErrorState
            error={error}
            onRetry={() => void Promise.all([query.refetch(), account.refetch()])}
            title="The quarantine could not be loaded"
          />
        ) : (
          <SkeletonLines lines={4} label="Loading the quarantine" />
        )}
      </Surface>
    );
  }
  if (mails.length === 0) {
    return (
      <Surface>
        <EmptyState
          icon={ShieldCheck}
          title="Nothing is in quarantine"
          description="A message that can’t be read, or is too large, is kept here instead of being lost."
        />
      </Surface>
    );
  }
  return (
    <>
      <Surface isList>
        <ul aria-label="Messages in quarantine">
          {mails.map((mail) => (
            <QuarantinedMail key={mail.id} mail={mail} identityId={identityId} />
          ))}
        </ul>
      </Surface>
      {query.hasNextPage && (
        <div className="mt-4">
          <LoadMore
            what="More messages"
            isLoading={query.isFetchingNextPage}
            hasFailed={query.isFetchNextPageError}
            onLoadMore={() => void query.fetchNextPage()}
          />
        </div>
      )}
    </>
  );
}
