'use client';

import { useMutation } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { Button } from '@/app/_kit/button';
import { keysOf } from '@/app/_kit/keys-of';
import { Dropdown } from '@/app/_kit/overlay/dropdown';
import type { StatusTone } from '@/app/_kit/status-badge';
import { toast } from '@/app/_kit/toast';
import { undoToast } from '@/app/_kit/undo-toast';
import { useTRPC } from '@/app/_trpc/client';
import type { AgentDetail, AgentStatus } from '@/server/features/agents/agent.schema';
import { statusLabels } from './agent-labels';
import { useStoreAgent } from './use-store-agent';

const dots: Partial<Record<StatusTone, string>> = { success: 'bg-success', warning: 'bg-warning' };

/** Shows and changes an agent's status, with an explanation of each choice. */
export function StatusMenu({ agent }: { agent: AgentDetail }) {
  const { changeStatus, isPending } = useChangeStatus(agent);
  const { label, tone } = statusLabels[agent.status];
  return (
    <Dropdown>
      <Button variant="secondary" aria-label={`Status: ${label}`} isDisabled={isPending}>
        <Dot tone={tone} />
        {label}
        <ChevronDown aria-hidden className="text-muted" />
      </Button>
      <Dropdown.Popover placement="bottom end" className="w-72">
        <Dropdown.Menu
          aria-label="Status"
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[agent.status]}
          onSelectionChange={(keys) => {
            const chosen = [...keys][0] as AgentStatus | undefined;
            if (chosen && chosen !== agent.status) changeStatus(chosen);
          }}
        >
          {keysOf(statusLabels).map((status) => (
            <Dropdown.Item key={status} id={status} textValue={statusLabels[status].label}>
              <Dropdown.ItemIndicator />
              <span className="flex min-w-0 flex-col">
                <span className="flex items-center gap-2">
                  <Dot tone={statusLabels[status].tone} />
                  {statusLabels[status].label}
                </span>
                <span className="text-xs text-muted">{statusLabels[status].meaning}</span>
              </span>
            </Dropdown.Item>
          ))}
        </Dropdown.Menu>
      </Dropdown.Popover>
    </Dropdown>
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
      onError: (error) => toast.failure(`The status of ${name} was not changed.`, error),
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
