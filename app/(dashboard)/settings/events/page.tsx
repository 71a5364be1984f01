import type { Metadata } from 'next';
import type { SearchPageProps } from '@/app/_trpc/page-data';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { EventBrowser } from './_components/event-browser';
import { historyInput, loadEventSearch } from './search-params';

export const metadata: Metadata = { title: 'Events · Settings' };

export default async function EventsPage({ searchParams }: SearchPageProps) {
  const search = await loadEventSearch(searchParams);
  await Promise.all([
    prefetch(trpc.events.history.queryOptions(historyInput(search))),
    prefetch(trpc.webhooks.eventTypes.queryOptions({})),
  ]);
  return (
    <HydrateClient>
      <EventBrowser />
    </HydrateClient>
  );
}
