import type { Metadata } from 'next';
import { Suspense } from 'react';
import { PageHeader } from '@/app/_kit/page-header';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { Quarantine } from './_components/quarantine';

export const metadata: Metadata = { title: 'Quarantine' };

/** Messages that could not be taken in, kept as they came. */
export default function QuarantinePage() {
  return (
    <>
      <PageHeader
        title="Quarantine"
        description="Messages that could not be taken in. Each is kept byte for byte until it is deleted; mail after it came in as usual."
      />
      <Suspense fallback={<SkeletonLines lines={4} label="Loading the quarantine" />}>
        <PrefetchedQuarantine />
      </Suspense>
    </>
  );
}

async function PrefetchedQuarantine() {
  await Promise.all([prefetch(trpc.mail.quarantine.queryOptions({})), prefetch(trpc.account.get.queryOptions({}))]);
  return (
    <HydrateClient>
      <Quarantine />
    </HydrateClient>
  );
}
