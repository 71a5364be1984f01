'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Ban, Plus } from 'lucide-react';
import { parseAsBoolean, useQueryState } from 'nuqs';
import { Button } from '@/app/_kit/button';
import { type DataColumn, DataTable } from '@/app/_kit/data-table';
import { EmptyState } from '@/app/_kit/empty-state';
import { ListBody } from '@/app/_kit/list-body';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { PendingButton } from '@/app/_kit/pending-button';
import { RelativeTime } from '@/app/_kit/relative-time';
import { SectionCard } from '@/app/_kit/section-card';
import { toast } from '@/app/_kit/toast';
import { undoToast } from '@/app/_kit/undo-toast';
import { usePermission } from '@/app/_kit/use-permission';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import { blockedSendersMaximum } from '@/server/features/conversations/blocked-sender.limits';
import type { BlockedSender } from '@/server/features/conversations/blocked-sender.schema';

const BlockDialog = onDemandComponent(() => import('./block-dialog').then((file) => file.BlockDialog));

const columns: readonly DataColumn<BlockedSender>[] = [
  { header: 'Sender', phone: 'title', cell: ({ sender }) => <span className="wrap-anywhere">{sender}</span> },
  { header: 'Blocked', phone: 'line', cell: ({ createdAt }) => <RelativeTime value={createdAt} /> },
  { header: '', phone: 'aside', className: 'text-right', cell: (blocked) => <UnblockButton blocked={blocked} /> },
];

/** Senders whose email is spam. */
export function BlockedSenders() {
  const trpc = useTRPC();
  const list = useQuery(trpc.blockedSenders.list.queryOptions({}));
  const [isNew, setIsNew] = useQueryState('new', parseAsBoolean.withDefault(false));
  const { isAllowed } = usePermission('conversations:write');
  const blocked = list.data?.blockedSenders;
  const create = (
    <Button
      variant="primary"
      size={blocked?.length ? 'sm' : 'md'}
      needs="conversations:write"
      isDisabled={(blocked?.length ?? 0) >= blockedSendersMaximum}
      onPress={() => void setIsNew(true)}
    >
      <Plus aria-hidden />
      Block sender
    </Button>
  );
  return (
    <>
      <SectionCard
        title="Blocked senders"
        description="What they send goes to spam, and brings no conversation back to the inbox."
        actions={blocked && blocked.length > 0 && create}
        flush
      >
        <ListBody
          what="blocked senders"
          error={blocked ? null : list.error}
          onRetry={() => void list.refetch()}
          isLoaded={blocked !== undefined}
          isEmpty={blocked?.length === 0}
          empty={
            <EmptyState
              icon={Ban}
              title="No blocked senders"
              description="Block a sender here, or in the menu of a conversation."
              action={create}
            />
          }
          lines={4}
        >
          <DataTable label="Blocked senders" columns={columns} rows={blocked ?? []} isInCard />
        </ListBody>
      </SectionCard>
      {isAllowed && isNew && <BlockDialog onClose={() => void setIsNew(null)} />}
    </>
  );
}

function UnblockButton({ blocked: { id, sender } }: { blocked: BlockedSender }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries(trpc.blockedSenders.pathFilter());
  const block = useMutation({
    mutationFn: () => client.blockedSenders.create.mutate({ sender }),
    onSettled: refresh,
    onError: (error) => toast.failure('Couldn’t block the sender again.', error),
  });
  const unblock = useMutation({
    mutationFn: () => client.blockedSenders.delete.mutate({ blockedSenderId: id }),
    onSettled: refresh,
    onSuccess: () => undoToast({ message: `${sender} is no longer blocked`, onUndo: block.mutate }),
    onError: (error) => toast.failure('Couldn’t unblock the sender.', error),
  });
  return (
    <PendingButton
      variant="secondary"
      size="sm"
      needs="conversations:write"
      aria-label={`Unblock ${sender}`}
      isPending={unblock.isPending}
      onPress={() => unblock.mutate()}
    >
      Unblock
    </PendingButton>
  );
}
