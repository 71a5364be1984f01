import type { Metadata } from 'next';
import { Suspense } from 'react';
import { PageHeader } from '@/app/_kit/page-header';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { Outbox } from './_components/outbox';
import { loadOutboxSearch, outboxInput } from './search-params';

export const metadata: Metadata = { title: 'Outbox' };

interface OutboxPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** Mail on its way out, and how it fared. */
export default function OutboxPage({ searchParams }: OutboxPageProps) {
  return (
    <>
      <PageHeader title="Outbox" description="Every mail that leaves this business, and how it fared." />
      <Suspense fallback={<SkeletonLines lines={8} label="Loading the outbox" />}>
        <PrefetchedOutbox searchParams={searchParams} />
      </Suspense>
    </>
  );
}

async function PrefetchedOutbox({ searchParams }: OutboxPageProps) {
  await prefetch(trpc.mail.outbox.queryOptions(outboxInput(await loadOutboxSearch(searchParams))));
  return (
    <HydrateClient>
      <Outbox />
    </HydrateClient>
  );
}
