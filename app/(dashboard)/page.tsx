import type { Metadata } from 'next';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { Home } from './_components/home';

export const metadata: Metadata = { title: 'Home' };

/** The start page. */
export default async function HomePage() {
  await Promise.all([
    prefetch(trpc.customers.list.queryOptions({ limit: 5 })),
    prefetch(trpc.apiKeys.list.queryOptions({})),
    prefetch(trpc.identity.get.queryOptions({})),
  ]);
  return (
    <HydrateClient>
      <Home />
    </HydrateClient>
  );
}
