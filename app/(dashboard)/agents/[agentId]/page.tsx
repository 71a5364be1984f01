import type { Metadata } from 'next';
import { cache, Suspense } from 'react';
import { RecordNotFound } from '@/app/_kit/record-not-found';
import { recordOrNull } from '@/app/_trpc/page-data';
import { HydrateClient, serverQueryClient, trpc } from '@/app/_trpc/server';
import { AgentView } from '../_components/agent-detail';

interface AgentPageProps {
  params: Promise<{ agentId: string }>;
}

const loadAgent = cache((agentId: string) =>
  recordOrNull(serverQueryClient().fetchQuery(trpc.agents.get.queryOptions({ agentId }))),
);

export async function generateMetadata({ params }: AgentPageProps): Promise<Metadata> {
  const agent = await loadAgent((await params).agentId);
  if (agent === null) return { title: 'Agent not found' };
  return { title: agent?.name ?? 'Agent' };
}

/** One agent: its persona, escalation routes, activity and configuration. */
export default async function AgentPage({ params }: AgentPageProps) {
  const { agentId } = await params;
  if ((await loadAgent(agentId)) === null) return <RecordNotFound what="agent" />;
  return (
    <HydrateClient>
      <Suspense>
        <AgentView agentId={agentId} />
      </Suspense>
    </HydrateClient>
  );
}
