import type { Metadata } from 'next';
import { PageHeader } from '@/app/_kit/page-header';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { Prefetched, type SearchPageProps } from '@/app/_trpc/page-data';
import { prefetch, trpc } from '@/app/_trpc/server';
import { Outbox } from './_components/outbox';
import { loadOutboxSearch, outboxInput } from './search-params';

export const metadata: Metadata = { title: 'Sent & delivery' };

export default function OutboxPage({ searchParams }: SearchPageProps) {
  const load = async () => prefetch(trpc.mail.outbox.queryOptions(outboxInput(await loadOutboxSearch(searchParams))));
  return (
    <>
      <PageHeader title="Sent & delivery" description="Every email you send and its delivery status." />
      <Prefetched load={load} fallback={<SkeletonLines lines={8} label="Loading emails" />}>
        <Outbox />
      </Prefetched>
    </>
  );
}
