import { useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/client';
import type { AgentDetail } from '@/server/features/agents/agent.schema';

/** Stores an agent returned by a mutation in the page's query, and invalidates the lists. */
export function useStoreAgent(): (agent: AgentDetail) => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return (agent) => {
    queryClient.setQueryData(trpc.agents.get.queryKey({ agentId: agent.id }), agent);
    void queryClient.invalidateQueries(trpc.agents.list.queryFilter());
  };
}
