import type { Metadata } from 'next';
import { Suspense } from 'react';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { Usage } from './_components/usage';

export const metadata: Metadata = { title: 'Usage' };

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
