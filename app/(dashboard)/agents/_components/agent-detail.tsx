'use client';

import { useQuery } from '@tanstack/react-query';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { errorFacts } from '@/app/_kit/error-facts';
import { ErrorState } from '@/app/_kit/error-state';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { PageHeader } from '@/app/_kit/page-header';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { useTRPC } from '@/app/_trpc/client';
import type { AgentDetail as Agent } from '@/server/features/agents/agent.schema';
import { ActivityTab } from './activity-tab';
import { AgentHeader } from './agent-header';
import { AgentNotFound } from './agent-not-found';
import { AgentStats } from './agent-stats';
import { AgentTabs, type TabKey, tabKeys } from './agent-tabs';
import { ConfigurationTab } from './configuration-tab';
import { PersonaTab } from './persona-tab';

// The editor of routes is large, and most visits are about something else.
const RoutesTab = onDemandComponent(
  () => import('./routes-tab').then((module) => module.RoutesTab),
  <SkeletonLines shape="text" lines={8} label="Loading routes" />,
);

/** An agent's page: who it is and how it does, and below that one of its four sides. */
export function AgentDetail({ agentId }: { agentId: string }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.agents.get.queryOptions({ agentId }));
  if (error && ['not_found', 'invalid_request'].includes(errorFacts(error).code)) return <AgentNotFound />;
  if (data) return <LoadedAgent key={data.id} agent={data} />;
  return (
    <>
      <PageHeader title="Agent" back={{ href: '/agents', label: 'Agents' }} />
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} title="The agent could not be loaded" />
      ) : (
        <SkeletonLines shape="text" lines={8} label="Loading agent" />
      )}
    </>
  );
}

function LoadedAgent({ agent }: { agent: Agent }) {
  const [tab, setTab] = useQueryState(
    'tab',
    parseAsStringLiteral(tabKeys).withDefault('persona').withOptions({ history: 'push' }),
  );
  return (
    <>
      <AgentHeader agent={agent} />
      <AgentStats stats={agent.stats} />
      <AgentTabs path={`/agents/${agent.id}`} current={tab} onChange={(next) => void setTab(next)}>
        <TabContent tab={tab} agent={agent} />
      </AgentTabs>
    </>
  );
}

function TabContent({ tab, agent }: { tab: TabKey; agent: Agent }) {
  switch (tab) {
    case 'persona':
      return <PersonaTab agent={agent} />;
    case 'routes':
      return <RoutesTab agentId={agent.id} />;
    case 'activity':
      return <ActivityTab agentId={agent.id} />;
    case 'configuration':
      return <ConfigurationTab agent={agent} />;
  }
}
