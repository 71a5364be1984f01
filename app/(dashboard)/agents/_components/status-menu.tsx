import { useMutation } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { Button } from '@/app/_kit/button';
import { ChoiceMenu } from '@/app/_kit/choice-menu';
import { keysOf } from '@/app/_kit/keys-of';
import type { StatusTone } from '@/app/_kit/status-badge';
import { toast } from '@/app/_kit/toast';
import { undoToast } from '@/app/_kit/undo-toast';
import { useTRPC } from '@/app/_trpc/client';
import type { AgentDetail, AgentStatus } from '@/server/features/agents/agent.schema';
import { statusLabels } from './agent-labels';
import { useStoreAgent } from './use-store-agent';

const dots: Partial<Record<StatusTone, string>> = { success: 'bg-success', warning: 'bg-warning' };

const choices = keysOf(statusLabels).map((value) => ({
  value,
  ...statusLabels[value],
  content: <StatusName key={value} status={value} />,
}));

/** Shows and changes an agent's status, with an explanation of each choice. */
export function StatusMenu({ agent }: { agent: AgentDetail }) {
  const { changeStatus, isPending } = useChangeStatus(agent);
  const { label, tone } = statusLabels[agent.status];
  return (
    <ChoiceMenu label="Status" choices={choices} value={agent.status} onChange={changeStatus} placement="bottom end">
      <Button variant="secondary" needs="agents:write" aria-label={`Status: ${label}`} isDisabled={isPending}>
        <Dot tone={tone} />
        {label}
        <ChevronDown aria-hidden className="text-muted" />
      </Button>
    </ChoiceMenu>
  );
}

function StatusName({ status }: { status: AgentStatus }) {
  const { label, tone } = statusLabels[status];
  return (
    <span className="flex items-center gap-2">
      <Dot tone={tone} />
      {label}
    </span>
  );
}

function Dot({ tone }: { tone: StatusTone }) {
  return <span aria-hidden className={`size-2 shrink-0 rounded-full ${dots[tone] ?? 'bg-border-tertiary'}`} />;
}

/** Changes an agent's status and offers to undo it for some seconds; the toast outlives the page. */
function useChangeStatus({ id, name, status: before }: AgentDetail) {
  const trpc = useTRPC();
  const storeAgent = useStoreAgent();
  const { mutate, isPending } = useMutation(
    trpc.agents.update.mutationOptions({
      onSuccess: storeAgent,
      onError: (error) => toast.failure(`Couldn’t change the status of ${name}.`, error),
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
