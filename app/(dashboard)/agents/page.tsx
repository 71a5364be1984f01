import type { Metadata } from 'next';
import { PageHeader } from '@/app/_kit/page-header';
import { Prefetched, type SearchPageProps } from '@/app/_trpc/page-data';
import { prefetch, trpc } from '@/app/_trpc/server';
import { AgentGallery, GallerySkeleton } from './_components/agent-gallery';
import { AgentMailNotice } from './_components/agent-mail-notice';
import { NewAgentButton } from './_components/new-agent-button';
import { agentSearch } from './search-params';

export const metadata: Metadata = { title: 'Agents' };

export default function AgentsPage({ searchParams }: SearchPageProps) {
  const load = async () => {
    const search = agentSearch.input(await agentSearch.load(searchParams));
    await Promise.all([prefetch(trpc.agents.list.queryOptions(search)), prefetch(trpc.agentMail.agents.queryOptions({}))]);
  };
  return (
    <>
      <PageHeader title="Agents" primaryAction={<NewAgentButton />} />
      <Prefetched load={load} fallback={<GallerySkeleton />}>
        <AgentMailNotice />
        <AgentGallery />
      </Prefetched>
    </>
  );
}
