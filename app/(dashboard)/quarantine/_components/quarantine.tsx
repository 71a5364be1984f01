'use client';

import { useQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { EmptyState } from '@/app/_kit/empty-state';
import { ErrorState } from '@/app/_kit/error-state';
import { LoadMore } from '@/app/_kit/load-more';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { Surface } from '@/app/_kit/surface';
import { useTRPC } from '@/app/_trpc/client';
import { usePages } from '@/app/_trpc/use-pages';
import type { QuarantineList } from '@/server/features/mail/mail.schema';
import { useFramePulse } from '../../_components/use-frame-pulse';
import { QuarantinedMail } from './quarantined-mail';

const mailsOf = (page: QuarantineList) => page.mails;

/** The messages in quarantine, newest first, page after page. */
function useQuarantine() {
  const trpc = useTRPC();
  return usePages({
    queryKey: trpc.mail.quarantine.queryKey({}),
    pageAt: (before: string | null) => trpc.mail.quarantine.queryOptions(before ? { before } : {}),
    first: null,
    next: (last) => last.next,
    itemsOf: mailsOf,
    news: useFramePulse()?.quarantined,
  });
}

/** Messages that were put aside: why, whose they were, and what can be done with them. */
export function Quarantine() {
  const trpc = useTRPC();
  const account = useQuery(trpc.account.get.queryOptions({}));
  const { items: mails, isLoaded, hasMore, ...pages } = useQuarantine();
  const identityId = account.data?.identityId;
  const error = pages.error ?? (account.isFetching ? null : account.error);

  if (!isLoaded || !identityId) {
    return (
      <Surface>
        {error ? (
          <ErrorState
            error={error}
            onRetry={() => {
              pages.retry();
              void account.refetch();
            }}
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
      {hasMore && (
        <div className="mt-4">
          <LoadMore
            what="More messages"
            isLoading={pages.isLoadingMore}
            hasFailed={pages.hasFailedToLoadMore}
            onLoadMore={pages.loadMore}
          />
        </div>
      )}
    </>
  );
}
