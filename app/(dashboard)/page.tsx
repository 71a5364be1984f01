import type { Metadata } from 'next';
import { Prefetched } from '@/app/_trpc/page-data';
import { prefetch, trpc } from '@/app/_trpc/server';
import { Home } from './_components/home/home';
import { HomeSkeleton } from './_components/home/home-skeleton';

export const metadata: Metadata = { title: 'Home' };

const load = () =>
  Promise.all([
    prefetch(trpc.account.get.queryOptions({})),
    prefetch(trpc.home.get.queryOptions({})),
    prefetch(trpc.home.firstSteps.queryOptions({})),
    prefetch(trpc.customers.list.queryOptions({ limit: 5 })),
  ]);

/** The start page: what needs the owner's attention now. */
export default function HomePage() {
  return (
    <Prefetched load={load} fallback={<HomeSkeleton />}>
      <Home />
    </Prefetched>
  );
}
