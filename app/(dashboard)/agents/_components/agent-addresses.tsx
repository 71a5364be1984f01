import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { IconButton } from '@/app/_kit/icon-button';
import { QueryResult } from '@/app/_kit/query-result';
import { SectionCard } from '@/app/_kit/section-card';
import { StatusBadge } from '@/app/_kit/status-badge';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import type { AgentDetail } from '@/server/features/agents/agent.schema';

/** The agent's email address and the earlier ones, which can be removed. */
export function AgentAddresses({ agent }: { agent: Pick<AgentDetail, 'id' | 'email'> }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.agentMail.agentAddresses.queryOptions({ agentId: agent.id }));
  const [removed, setRemoved] = useState<string | null>(null);
  return (
    <SectionCard
      title="Email addresses"
      description="Emails to earlier addresses still reach this agent until you remove them."
      flush
    >
      <QueryResult query={query} failure="Couldn’t load addresses" loading="Loading addresses" lines={2} shape="rows">
        {({ problem, earlier }) => (
          <ul aria-label="Email addresses">
            <AddressItem address={agent.email} isReached={problem === null} note="Current" />
            {earlier.map(({ address, isReached }) => (
              <AddressItem
                key={address}
                address={address}
                isReached={isReached}
                note="Earlier"
                onRemove={() => setRemoved(address)}
              />
            ))}
          </ul>
        )}
      </QueryResult>
      <RemoveDialog agentId={agent.id} address={removed} onClose={() => setRemoved(null)} />
    </SectionCard>
  );
}

interface AddressItemProps {
  address: string;
  isReached: boolean;
  note: string;
  onRemove?: () => void;
}

function AddressItem({ address, isReached, note, onRemove }: AddressItemProps) {
  return (
    <li className="flex min-h-12 items-center gap-2 border-b border-separator py-2 pr-3 pl-5 last:border-b-0">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium" title={address}>
          {address}
        </p>
        <p className="text-label text-muted">{note}</p>
      </div>
      {!isReached && <StatusBadge tone="danger">No email</StatusBadge>}
      {onRemove && (
        <IconButton label={`Remove ${address}`} needs="agents:write" onPress={onRemove}>
          <X aria-hidden />
        </IconButton>
      )}
    </li>
  );
}

interface RemoveDialogProps {
  agentId: string;
  /** Null while the dialog is closed. */
  address: string | null;
  onClose: () => void;
}

function RemoveDialog({ agentId, address, onClose }: RemoveDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const remove = useMutation(
    trpc.agentMail.removeAgentAddress.mutationOptions({
      onSuccess: (addresses) => {
        onClose();
        queryClient.setQueryData(trpc.agentMail.agentAddresses.queryKey({ agentId }), addresses);
      },
      onError: (error) => toast.failure(`Couldn’t remove ${address}.`, error),
    }),
  );
  return (
    <ConfirmDialog
      isOpen={address !== null}
      onOpenChange={onClose}
      title={`Remove ${address ?? 'address'}?`}
      description="Emails to it will no longer arrive."
      confirmLabel="Remove address"
      tone="danger"
      isPending={remove.isPending}
      onConfirm={() => address !== null && remove.mutate({ agentId, address })}
    />
  );
}
