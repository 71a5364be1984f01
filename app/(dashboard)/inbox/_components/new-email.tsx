'use client';

import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import dynamic from 'next/dynamic';
import { ErrorState } from '@/app/_kit/error-state';
import { IconButton } from '@/app/_kit/icon-button';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { useTRPC } from '@/app/_trpc/client';
import { newEmailInput } from '../new-email-input';
import type { NewEmailStart } from '../search-params';
import { BackToList } from './back-to-list';
import { useInbox } from './inbox-context';

const skeleton = (
  <div className="p-6">
    <SkeletonLines shape="text" lines={6} label="Loading the email" />
  </div>
);

const NewEmailForm = dynamic(() => import('./new-email-form').then((module) => module.NewEmailForm), {
  ssr: false,
  loading: () => skeleton,
});

/** Writes an email that begins a conversation, and may forward a message. */
export function NewEmail({ start }: { start: NewEmailStart & { draft: string } }) {
  const trpc = useTRPC();
  const { close } = useInbox();
  const { data, error, isFetching, refetch } = useQuery(trpc.conversations.newEmailDraft.queryOptions(newEmailInput(start)));
  return (
    <div className="flex flex-col lg:h-full">
      <header className="z-10 flex flex-wrap items-center border-b border-border bg-background px-4 py-2.5 max-lg:sticky max-lg:top-14">
        <BackToList />
        <h1 className="min-w-0 flex-1 truncate text-base font-semibold tracking-tight max-lg:order-last max-lg:basis-full">
          {data?.forwarded ? 'Forward' : 'New email'}
        </h1>
        <span className="contents max-lg:hidden">
          <IconButton label="Close" hint="Close (Esc)" onPress={close}>
            <X aria-hidden />
          </IconButton>
        </span>
      </header>
      <div className="min-h-0 bg-surface lg:flex-1 lg:overflow-y-auto">
        {data ? (
          <NewEmailForm data={data} start={start} />
        ) : error && !isFetching ? (
          <ErrorState error={error} onRetry={() => void refetch()} title="Couldn’t start the email" />
        ) : (
          skeleton
        )}
      </div>
    </div>
  );
}
