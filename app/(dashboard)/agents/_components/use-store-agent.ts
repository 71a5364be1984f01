'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { AgentDetail } from '@/server/features/agents/agent.schema';

/** Puts an agent that a mutation answered where its page reads it, and lets lists ask again when they are next seen. */
export function useStoreAgent(): (agent: AgentDetail) => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useCallback(
    (agent) => {
      queryClient.setQueryData(trpc.agents.get.queryKey({ agentId: agent.id }), agent);
      void queryClient.invalidateQueries(trpc.agents.list.queryFilter());
    },
    [queryClient, trpc],
  );
}
