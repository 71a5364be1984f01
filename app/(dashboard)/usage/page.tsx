import type { Metadata } from 'next';
import { Suspense } from 'react';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { Usage } from './_components/usage';

export const metadata: Metadata = { title: 'Usage' };

/** What this business has used of its plan, by day and by what used it. */
export default async function UsagePage() {
  await Promise.all([prefetch(trpc.home.usage.queryOptions({})), prefetch(trpc.account.get.queryOptions({}))]);
  return (
    <HydrateClient>
      <Suspense>
        <Usage />
      </Suspense>
    </HydrateClient>
  );
}
