import { useMutation, useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { Button } from '@/app/_kit/button';
import { CodeLine } from '@/app/_kit/code-line';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import { ReceiverCode } from './receiver-code';
import { WebhookForm } from './webhook-form';
import { webhookName } from './webhook-labels';
import type { WebhookRecord } from './webhook-types';

/** A webhook whose secret was just made, which is shown once. */
export interface IssuedSecret {
  webhook: WebhookRecord;
  secret: string;
  isNew: boolean;
}

interface IssuingProps {
  onClose: () => void;
  onIssued: (issued: IssuedSecret) => void;
}

/** Creates a webhook. */
export function CreateWebhookDialog({ onClose, onIssued }: IssuingProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const create = useMutation(trpc.webhooks.create.mutationOptions());
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      size="lg"
      title="New webhook"
      description="Tells a program of yours about events as they happen."
    >
      <WebhookForm
        values={{ url: '', events: [], description: '' }}
        submitLabel="Create webhook"
        onSubmit={async (values) => {
          const { secret, ...webhook } = await create.mutateAsync(values);
          await queryClient.invalidateQueries(trpc.webhooks.list.queryFilter());
          onIssued({ webhook, secret, isNew: true });
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
}

/** Changes address, events and description. */
export function EditWebhookDialog({ webhook, onClose }: { webhook: WebhookRecord; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const update = useMutation(trpc.webhooks.update.mutationOptions());
  const { id, url, events, description } = webhook;
  return (
    <Dialog isOpen onOpenChange={onClose} size="lg" title="Edit webhook">
      <WebhookForm
        values={{ url, events, description }}
        submitLabel="Save changes"
        onSubmit={async (values) => {
          await update.mutateAsync({ webhookId: id, ...values });
          await queryClient.invalidateQueries(trpc.webhooks.pathFilter());
          onClose();
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
}

/** Shows a secret once, with code that uses it. A stray click or Escape does not close it. */
export function IssuedSecretDialog({ issued, onClose }: { issued: IssuedSecret; onClose: () => void }) {
  const { webhook, secret, isNew } = issued;
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      isDismissable={false}
      size="lg"
      title={isNew ? 'Webhook created' : 'New secret'}
      description={webhookName(webhook)}
      footer={
        <Button variant="primary" onPress={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex min-w-0 flex-col gap-4">
        <p className="flex gap-2 rounded-md bg-warning-soft px-3 py-2 text-warning-text">
          <KeyRound aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span>
            Copy the signing secret now. You won’t be able to see it again.
            {!isNew && ' For 24 hours, requests are signed with the old secret, too.'}
          </span>
        </p>
        <CodeLine label="Signing secret" value={secret} copyLabel="Copy secret" />
        <ReceiverCode />
      </div>
    </Dialog>
  );
}

/** Asks before a new secret is made, and says how long the old one works. */
export function RotateSecretDialog({ webhook, onClose, onIssued }: IssuingProps & { webhook: WebhookRecord }) {
  const trpc = useTRPC();
  const rotate = useMutation(
    trpc.webhooks.rotateSecret.mutationOptions({
      onSuccess: ({ secret, ...changed }) => onIssued({ webhook: changed, secret, isNew: false }),
      onError: (error) => toast.failure('Couldn’t rotate the secret.', error),
    }),
  );
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title="Rotate the signing secret?"
      description="You get a new secret. For 24 hours each request carries two signatures, one with each secret, so your program keeps working while you switch. After that, only the new one is used."
      confirmLabel="Rotate secret"
      isPending={rotate.isPending}
      onConfirm={() => rotate.mutate({ webhookId: webhook.id })}
    />
  );
}

interface DeleteWebhookDialogProps {
  webhook: WebhookRecord;
  onClose: () => void;
  onDeleted: () => void;
}

/** Asks before a webhook is deleted. */
export function DeleteWebhookDialog({ webhook, onClose, onDeleted }: DeleteWebhookDialogProps) {
  const trpc = useTRPC();
  const remove = useMutation(
    trpc.webhooks.delete.mutationOptions({
      onSuccess: onDeleted,
      onError: (error) => toast.failure('Couldn’t delete the webhook.', error),
    }),
  );
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title={`Delete ${webhookName(webhook)}?`}
      description="Nothing is sent to this URL any more, and the record of its deliveries is deleted. This can’t be undone."
      confirmLabel="Delete webhook"
      tone="danger"
      isPending={remove.isPending || remove.isSuccess}
      onConfirm={() => remove.mutate({ webhookId: webhook.id })}
    />
  );
}
