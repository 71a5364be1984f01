'use client';

import { useMutation } from '@tanstack/react-query';
import { CopyPlus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { CopyButton } from '@/app/_kit/copy-button';
import { errorFacts } from '@/app/_kit/error-facts';
import { HistoryLink } from '@/app/_kit/history-link';
import { PageHeader } from '@/app/_kit/page-header';
import { PendingButton } from '@/app/_kit/pending-button';
import { toast } from '@/app/_kit/toast';
import { leavePage } from '@/app/_kit/unsaved-changes';
import { useTRPC } from '@/app/_trpc/client';
import type { AgentDetail } from '@/server/features/agents/agent.schema';
import { AgentAvatar } from './agent-avatar';
import { StatusMenu } from './status-menu';
import { useStoreAgent } from './use-store-agent';

/** Who the agent is and where its mail arrives; whether it works, and a copy of it. */
export function AgentHeader({ agent }: { agent: AgentDetail }) {
  const trpc = useTRPC();
  const router = useRouter();
  const storeAgent = useStoreAgent();
  const { persona } = agent.config;
  const duplicate = useMutation(
    trpc.agents.duplicate.mutationOptions({
      onSuccess: (copy) => {
        storeAgent(copy);
        router.push(`/agents/${copy.id}`);
        toast('This is the copy', { description: `Persona and routes are those of ${agent.name}. It is paused for now.` });
      },
      onError: (error) => toast.error(`The agent was not duplicated. ${errorFacts(error).message}`),
    }),
  );
  return (
    <PageHeader
      back={{ href: '/agents', label: 'Agents' }}
      leading={
        <AgentAvatar
          size="lg"
          name={agent.name}
          url={agent.avatarUrl || (persona.avatarUrl ?? '')}
          emoji={persona.avatarEmoji ?? ''}
          isDimmed={agent.status === 'archived'}
        />
      }
      title={<span title={agent.name}>{agent.name}</span>}
      description={
        <span className="-my-1.5 flex min-w-0 items-center gap-1">
          <span className="truncate" title={agent.email}>
            {agent.email}
          </span>
          <CopyButton size="sm" value={agent.email} label="Copy address" />
        </span>
      }
      actions={
        <>
          <HistoryLink id={agent.id} subject="this agent" className="mr-1" />
          <StatusMenu agent={agent} />
          <PendingButton
            variant="secondary"
            isPending={duplicate.isPending}
            onPress={() => leavePage(() => duplicate.mutate({ agentId: agent.id }))}
          >
            <CopyPlus aria-hidden />
            Duplicate
          </PendingButton>
        </>
      }
    />
  );
}
