import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { DialogForm } from '@/app/_kit/dialog-form';
import { FormSelect } from '@/app/_kit/form-select';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { QueryResult } from '@/app/_kit/query-result';
import { toast } from '@/app/_kit/toast';
import { useFormSubmit } from '@/app/_kit/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import { useEventTypes } from '../../_components/use-event-types';
import { matchesPattern, typeLabel } from '../../events/_components/event-labels';
import type { EventTypeRecord, Recovery, WebhookRecord } from './webhook-types';

interface TestDialogProps {
  webhook: WebhookRecord;
  onClose: () => void;
  onSent: (deliveryId: string) => void;
}

/** Sends an example of an event; its delivery is shown afterwards. */
export function TestDialog(props: TestDialogProps) {
  const types = useEventTypes();
  return (
    <Dialog isOpen onOpenChange={props.onClose} title="Send a test" description="Sends an example event, signed like any other.">
      <QueryResult query={types} failure="Couldn’t load events" loading="Loading events" lines={2}>
        {({ types: all }) => <TestForm {...props} types={all} />}
      </QueryResult>
    </Dialog>
  );
}

function TestForm({ webhook, types, onClose, onSent }: TestDialogProps & { types: readonly EventTypeRecord[] }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const send = useMutation(trpc.webhooks.test.mutationOptions());
  const first = types.find(({ type }) => webhook.events.some((pattern) => matchesPattern(type, pattern))) ?? types[0];
  const form = useForm({ defaultValues: { type: first?.type ?? '' } });
  const { failure, submit } = useFormSubmit(form, async ({ type }) => {
    const { id } = await send.mutateAsync({ webhookId: webhook.id, type });
    void queryClient.invalidateQueries(trpc.webhooks.deliveries.queryFilter());
    onSent(id);
  });
  return (
    <DialogForm
      submitLabel="Send test"
      isPending={form.formState.isSubmitting}
      failure={failure}
      onSubmit={submit}
      onCancel={onClose}
    >
      <FormSelect
        control={form.control}
        name="type"
        label="Event"
        options={types.map(({ type }) => ({ value: type, label: typeLabel(type) }))}
        description={types.find(({ type }) => type === form.watch('type'))?.description}
      />
    </DialogForm>
  );
}

const spans = [
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last 24 hours' },
  { value: '72', label: 'Last 3 days' },
  { value: '168', label: 'Last 7 days' },
  { value: '720', label: 'Last 30 days' },
];

const kinds: readonly { value: Recovery; label: string }[] = [
  { value: 'failed', label: 'Failed: sent, but never accepted' },
  { value: 'missing', label: 'Missing: never sent, such as while paused' },
];

/** Sends what a webhook did not get, once its receiver works again. */
export function RecoverDialog({ webhook, onClose }: { webhook: WebhookRecord; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const recover = useMutation(trpc.webhooks.recover.mutationOptions());
  // Fixed when the dialog opens, so that a second click requests the same.
  const [openedAt] = useState(() => Date.now());
  const form = useForm({ defaultValues: { hours: '24', only: 'failed' as Recovery } });
  const { failure, submit } = useFormSubmit(form, async ({ hours, only }) => {
    const since = new Date(openedAt - Number(hours) * 3_600_000).toISOString();
    const { queued, hasMore } = await recover.mutateAsync({ webhookId: webhook.id, since, only });
    await queryClient.invalidateQueries(trpc.webhooks.pathFilter());
    toast(recoveredLabel(queued, hasMore));
    onClose();
  });
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title="Recover deliveries"
      description="Sends events that your receiver did not get. Each has the ID that it had, so your program can tell what it knows already."
    >
      <DialogForm
        submitLabel="Recover"
        isPending={form.formState.isSubmitting}
        failure={failure}
        onSubmit={submit}
        onCancel={onClose}
      >
        <FormSelect control={form.control} name="hours" label="Since" options={spans} />
        <FormSelect control={form.control} name="only" label="Deliveries" options={kinds} />
      </DialogForm>
    </Dialog>
  );
}

function recoveredLabel(queued: number, hasMore: boolean): string {
  if (queued === 0) return 'Nothing to recover';
  const deliveries = `${queued} ${queued === 1 ? 'delivery' : 'deliveries'} will be sent`;
  return hasMore ? `${deliveries}. There are more: recover again.` : deliveries;
}
