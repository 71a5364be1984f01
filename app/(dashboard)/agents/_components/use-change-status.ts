'use client';

import { useMutation } from '@tanstack/react-query';
import { errorFacts } from '@/app/_kit/error-facts';
import { toast } from '@/app/_kit/toast';
import { undoToast } from '@/app/_kit/undo-toast';
import { useTRPC } from '@/app/_trpc/client';
import type { AgentDetail, AgentStatus } from '@/server/features/agents/agent.schema';
import { statusLabels } from './agent-labels';
import { useStoreAgent } from './use-store-agent';

/** Changes whether an agent works, with a way back for some seconds; the toast outlives the page. */
export function useChangeStatus({ id, name, status: before }: AgentDetail) {
  const trpc = useTRPC();
  const storeAgent = useStoreAgent();
  const { mutate, isPending } = useMutation(
    trpc.agents.update.mutationOptions({
      onSuccess: storeAgent,
      onError: (error) => toast.error(`The status of ${name} was not changed. ${errorFacts(error).message}`),
    }),
  );
  const changeStatus = (status: AgentStatus) =>
    mutate(
      { agentId: id, status },
      {
        onSuccess: () => {
          const { label, meaning } = statusLabels[status];
          undoToast({
            message: `${name} is ${label.toLowerCase()}`,
            description: meaning,
            id: `agent-status-${id}`,
            onUndo: () => mutate({ agentId: id, status: before }),
          });
        },
      },
    );
  return { changeStatus, isPending };
}
