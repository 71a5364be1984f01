import type { Metadata } from 'next';
import { cache, Suspense } from 'react';
import { HydrateClient, serverQueryClient, trpc } from '@/app/_trpc/server';
import { appErrorOf } from '@/server/platform/trpc/trpc';
import { AgentDetail } from '../_components/agent-detail';
import { AgentNotFound } from '../_components/agent-not-found';

interface AgentPageProps {
  params: Promise<{ agentId: string }>;
}

/** The agent, null where there is none, undefined where that could not be found out. */
const loadAgent = cache(async (agentId: string) => {
  try {
    return await serverQueryClient().fetchQuery(trpc.agents.get.queryOptions({ agentId }));
  } catch (error) {
    const { code } = appErrorOf(error);
    // A malformed id is as unknown as any other; everything else the page itself reports, with a way to try again.
    return code === 'not_found' || code === 'invalid_request' ? null : undefined;
  }
});

export async function generateMetadata({ params }: AgentPageProps): Promise<Metadata> {
  const agent = await loadAgent((await params).agentId);
  if (agent === null) return { title: 'Agent not found' };
  return { title: agent?.name ?? 'Agent' };
}

/** One agent: how it writes, whom it asks, what it did and how it is set up. */
export default async function AgentPage({ params }: AgentPageProps) {
  const { agentId } = await params;
  if ((await loadAgent(agentId)) === null) return <AgentNotFound />;
  return (
    <HydrateClient>
      <Suspense>
        <AgentDetail agentId={agentId} />
      </Suspense>
    </HydrateClient>
  );
}
