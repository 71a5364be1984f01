import { useMutation, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/app/_kit/button';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { IconButton } from '@/app/_kit/icon-button';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { StatusBadge, type StatusTone } from '@/app/_kit/status-badge';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import type { FurtherAddress } from '@/server/features/addresses/address.schema';

const AddressProof = onDemandComponent(() => import('./address-proof').then((module) => module.AddressProof));

const statusLabels: Record<FurtherAddress['status'], { label: string; tone: StatusTone }> = {
  pending: { label: 'Unverified', tone: 'warning' },
  proven: { label: 'Verified', tone: 'success' },
  contested: { label: 'Contested', tone: 'danger' },
  refused: { label: 'Unavailable', tone: 'danger' },
};

interface AddressRowProps {
  address: FurtherAddress;
  /** The business' own address. */
  own: string | null;
  canSendCodes: boolean;
  /** Just added, so the next step is shown open. */
  isNew: boolean;
}

type Question = 'remove' | 'use' | null;

/** One additional address: its state and its actions. */
export function AddressRow({ address: further, own, canSendCodes, isNew }: AddressRowProps) {
  const { address, handle, description, status } = further;
  const isOpen = status !== 'proven';
  const [isShown, setIsShown] = useState(isNew);
  const [question, setQuestion] = useState<Question>(null);
  const { label, tone } = statusLabels[status];
  return (
    <li className="border-b border-separator py-2.5 pr-3 pl-5">
      <div className="flex items-center gap-2">
        <div className="min-w-0 flex-1">
          <p className="truncate font-medium" title={address}>
            {address}
          </p>
          <p className="truncate text-label text-muted" title={description ?? undefined}>
            <span className="font-mono text-xs">{handle}</span>
            {description && ` · ${description}`}
          </p>
        </div>
        <StatusBadge tone={tone}>{label}</StatusBadge>
        <IconButton label={`Remove ${address}`} needs="identity:write" onPress={() => setQuestion('remove')}>
          <X aria-hidden />
        </IconButton>
      </div>
      <div className="mt-1.5 pr-2">
        {isOpen ? (
          <Button size="sm" variant="secondary" aria-expanded={isShown} onPress={() => setIsShown(!isShown)}>
            {isShown ? 'Hide' : status === 'refused' ? 'Show why' : 'Verify address'}
          </Button>
        ) : (
          <Button
            size="sm"
            variant="secondary"
            needs="identity:write"
            aria-label={`Make ${address} the primary address`}
            onPress={() => setQuestion('use')}
          >
            Make primary
          </Button>
        )}
        {isOpen && isShown && <AddressProof address={further} canSendCodes={canSendCodes} />}
      </div>
      <Questions address={address} own={own} isProven={!isOpen} question={question} onClose={() => setQuestion(null)} />
    </li>
  );
}

interface QuestionsProps {
  address: string;
  own: string | null;
  isProven: boolean;
  question: Question;
  onClose: () => void;
}

function Questions({ address, own, isProven, question, onClose }: QuestionsProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const onSettled = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: trpc.identity.addresses.queryKey({}) }),
      queryClient.invalidateQueries(trpc.agentMail.pathFilter()),
    ]);
  const remove = useMutation(
    trpc.identity.removeAddress.mutationOptions({
      onSuccess: (identity) => {
        onClose();
        queryClient.setQueryData(trpc.identity.get.queryKey({}), identity);
      },
      onError: (error) => toast.failure(`Couldn’t remove ${address}.`, error),
      onSettled,
    }),
  );
  const use = useMutation(
    trpc.identity.useAsOwnAddress.mutationOptions({
      onSuccess: (identity) => {
        onClose();
        queryClient.setQueryData(trpc.identity.get.queryKey({}), identity);
      },
      onError: (error) => toast.failure('Couldn’t change the primary address.', error),
      onSettled,
    }),
  );
  return (
    <>
      <ConfirmDialog
        isOpen={question === 'remove'}
        onOpenChange={onClose}
        title={`Remove ${address}?`}
        description={
          isProven
            ? 'Emails to this address will no longer arrive, and replies won’t be sent from it. To use it again, add and verify it again.'
            : 'It wasn’t verified, so no email arrived through it.'
        }
        confirmLabel="Remove address"
        tone="danger"
        isPending={remove.isPending}
        onConfirm={() => remove.mutate({ address })}
      />
      <ConfirmDialog
        isOpen={question === 'use'}
        onOpenChange={onClose}
        title={`Make ${address} the primary address?`}
        description={`New emails are sent from it. ${own ? `${own} stays as an alias. ` : ''}Agents keep their addresses; you can move them afterwards.`}
        confirmLabel="Make primary"
        isPending={use.isPending}
        onConfirm={() => use.mutate({ address })}
      />
    </>
  );
}
