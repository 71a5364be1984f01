import type { Metadata } from 'next';
import { Suspense } from 'react';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { Home } from './_components/home/home';
import { HomeSkeleton } from './_components/home/home-skeleton';

export const metadata: Metadata = { title: 'Home' };

/** The start page: what needs the owner now. */
export default function HomePage() {
  return (
    <Suspense fallback={<HomeSkeleton />}>
      <PrefetchedHome />
    </Suspense>
  );
}

async function PrefetchedHome() {
  await Promise.all([
    prefetch(trpc.account.get.queryOptions({})),
    prefetch(trpc.home.get.queryOptions({})),
    prefetch(trpc.home.firstSteps.queryOptions({})),
    prefetch(trpc.customers.list.queryOptions({ limit: 5 })),
  ]);
  return (
    <HydrateClient>
      <Home />
    </HydrateClient>
  );
}
