import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '@/app/_kit/button';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { PendingButton } from '@/app/_kit/pending-button';
import { toast } from '@/app/_kit/toast';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { AuditEntry } from '@/server/features/audit/audit.schema';
import type { RestorableKind } from '@/server/features/audit/previous-values.schema';
import { restorableDays } from '@/server/features/deletions/deletion.schema';
import type { Permission } from '@/server/platform/auth/scopes.schema';
import { resourceLabels } from './audit-labels';
import { recordLink } from './record-link';

const RestoreValuesDialog = onDemandComponent(() =>
  import('./restore-values-dialog').then((module) => module.RestoreValuesDialog),
);

/** What restoring a record of each kind needs. */
const permissions: Record<RestorableKind, Permission> = {
  customer: 'customers:write',
  event: 'calendar:write',
  post: 'blog:draft',
  agent: 'agents:write',
  identity: 'identity:write',
};

const isRecent = ({ occurredAt }: AuditEntry) => Date.parse(occurredAt) > Date.now() - restorableDays * 86_400_000;

/** The button that takes a change back, or restores the record that it deleted; null if that is not possible. */
export function Restore({ entry }: { entry: AuditEntry }) {
  const { resource, action } = entry;
  if (action === 'created' || !(resource in permissions) || !isRecent(entry)) return null;
  const kind = resource as RestorableKind;
  if (action === 'updated') return <RestoreValues entry={entry} needs={permissions[kind]} />;
  return kind === 'agent' || kind === 'identity' ? null : <RestoreDeleted entry={entry} kind={kind} />;
}

function RestoreValues({ entry, needs }: { entry: AuditEntry; needs: Permission }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="sm" variant="secondary" needs={needs} onPress={() => setIsOpen(true)}>
        <RotateCcw aria-hidden />
        Restore previous values…
      </Button>
      {isOpen && <RestoreValuesDialog entry={entry} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function RestoreDeleted({ entry, kind }: { entry: AuditEntry; kind: 'customer' | 'event' | 'post' }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const router = useRouter();
  const { resourceId: id } = entry;
  const requests = {
    customer: () => client.customers.restore.mutate({ id }),
    event: () => client.calendar.restore.mutate({ eventId: id }),
    post: () => client.blog.restore.mutate({ postId: id }),
  };
  const name = resourceLabels[kind].one.toLowerCase();
  const { mutate, isPending } = useMutation({
    mutationFn: (): Promise<unknown> => requests[kind](),
    onSuccess: () => {
      toast(`${resourceLabels[kind].one} restored`, { description: entry.label });
      for (const filter of [trpc.customers.pathFilter(), trpc.calendar.pathFilter(), trpc.blog.pathFilter()]) {
        void queryClient.invalidateQueries(filter);
      }
      router.push(recordLink(entry)?.href ?? '/');
    },
    onError: (error) => toast.failure(`Couldn’t restore the ${name}.`, error),
  });
  return (
    <PendingButton size="sm" variant="secondary" needs={permissions[kind]} isPending={isPending} onPress={() => mutate()}>
      <RotateCcw aria-hidden />
      Restore {name}
    </PendingButton>
  );
}
