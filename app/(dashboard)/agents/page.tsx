import type { Metadata } from 'next';
import { Suspense } from 'react';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { AgentGallery } from './_components/agent-gallery';
import { AgentsHeader } from './_components/agents-header';
import { GallerySkeleton } from './_components/gallery-skeleton';
import { listInput, loadAgentSearch } from './search-params';

export const metadata: Metadata = { title: 'Agents' };

interface AgentsPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The assistants that work for the business: what each is called, whether it works, and how much it has to do. */
export default function AgentsPage({ searchParams }: AgentsPageProps) {
  return (
    <>
      <AgentsHeader />
      <Suspense fallback={<GallerySkeleton />}>
        <PrefetchedGallery searchParams={searchParams} />
      </Suspense>
    </>
  );
}

async function PrefetchedGallery({ searchParams }: AgentsPageProps) {
  await prefetch(trpc.agents.list.queryOptions(listInput(await loadAgentSearch(searchParams))));
  return (
    <HydrateClient>
      <AgentGallery />
    </HydrateClient>
  );
}
