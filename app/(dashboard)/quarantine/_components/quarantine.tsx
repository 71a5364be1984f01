'use client';

import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { EmptyState } from '@/app/_components/empty-state';
import { ErrorState } from '@/app/_components/error-state';
import { PendingButton } from '@/app/_components/pending-button';
import { SkeletonLines } from '@/app/_components/skeleton-lines';
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
      <div className="rounded-lg border border-border bg-surface">
        {error && !query.isFetching && !account.isFetching ? (
          <ErrorState
            error={error}
            onRetry={() => void Promise.all([query.refetch(), account.refetch()])}
            title="The quarantine could not be loaded"
          />
        ) : (
          <SkeletonLines lines={4} label="Loading the quarantine" />
        )}
      </div>
    );
  }
  if (mails.length === 0) {
    return (
      <div className="rounded-lg border border-border bg-surface">
        <EmptyState
          icon={ShieldCheck}
          title="Nothing is in quarantine"
          description="A message that can’t be read, or is too large, is kept here instead of being lost."
        />
      </div>
    );
  }
  return (
    <>
      <ul
        aria-label="Messages in quarantine"
        className="border-border bg-surface max-md:-mx-4 max-md:border-y max-md:sm:-mx-6 md:rounded-lg md:border"
      >
        {mails.map((mail) => (
          <QuarantinedMail key={mail.id} mail={mail} identityId={identityId} />
        ))}
      </ul>
      {query.hasNextPage && (
        <div className="mt-4 flex flex-wrap items-center justify-center gap-3">
          <PendingButton variant="secondary" isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
            Load more
          </PendingButton>
          {query.isFetchNextPageError && (
            <p role="alert" className="text-label text-danger-text">
              More messages could not be loaded. Try again.
            </p>
          )}
        </div>
      )}
    </>
  );
}
