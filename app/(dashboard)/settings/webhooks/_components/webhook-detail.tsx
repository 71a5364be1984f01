'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronLeft, CircleAlert, Ellipsis, History, KeyRound, Pause, Pencil, Play, Send, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useQueryStates } from 'nuqs';
import { useState } from 'react';
import { Button } from '@/app/_kit/button';
import { IconButton } from '@/app/_kit/icon-button';
import { Dropdown } from '@/app/_kit/overlay/dropdown';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { PendingButton } from '@/app/_kit/pending-button';
import { QueryResult } from '@/app/_kit/query-result';
import { RelativeTime } from '@/app/_kit/relative-time';
import { SectionCard } from '@/app/_kit/section-card';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import { Fact, Facts } from '../../_components/facts';
import { deliverySearchParams } from '../search-params';
import { Deliveries } from './deliveries';
import { ReceiverCode } from './receiver-code';
import type { IssuedSecret } from './webhook-dialogs';
import { healthOf, patternLabel, webhookName } from './webhook-labels';
import { WebhookStatus } from './webhook-status';
import type { WebhookRecord } from './webhook-types';

const EditWebhookDialog = onDemandComponent(() => import('./webhook-dialogs').then((file) => file.EditWebhookDialog));
const IssuedSecretDialog = onDemandComponent(() => import('./webhook-dialogs').then((file) => file.IssuedSecretDialog));
const RotateSecretDialog = onDemandComponent(() => import('./webhook-dialogs').then((file) => file.RotateSecretDialog));
const DeleteWebhookDialog = onDemandComponent(() => import('./webhook-dialogs').then((file) => file.DeleteWebhookDialog));
const TestDialog = onDemandComponent(() => import('./delivery-dialogs').then((file) => file.TestDialog));
const RecoverDialog = onDemandComponent(() => import('./delivery-dialogs').then((file) => file.RecoverDialog));

/** One webhook: what it gets, whether it works, and what was delivered. */
export function WebhookDetail({ id }: { id: string }) {
  const trpc = useTRPC();
  const webhook = useQuery(trpc.webhooks.get.queryOptions({ webhookId: id }));
  return (
    <QueryResult query={webhook} failure="Couldn’t load the webhook" loading="Loading webhook" lines={8}>
      {(record) => (
        <>
          <Overview webhook={record} />
          <Deliveries webhookId={id} />
          <SectionCard
            title="Receive it"
            description="A complete program that checks the signature. Answer with a 2xx status within 15 seconds."
          >
            <ReceiverCode />
          </SectionCard>
        </>
      )}
    </QueryResult>
  );
}

type OpenDialog = 'edit' | 'rotate' | 'delete' | 'test' | 'recover' | IssuedSecret;

function Overview({ webhook }: { webhook: WebhookRecord }) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [, setSearch] = useQueryStates(deliverySearchParams, { history: 'push' });
  const close = () => setDialog(null);
  const openDelivery = (delivery: string) => {
    close();
    void setSearch({ delivery, status: null, page: null });
  };
  const leave = () => {
    router.push('/settings/webhooks');
    // The list is fetched again; the deleted webhook is not.
    void queryClient.invalidateQueries(trpc.webhooks.list.queryFilter());
  };
  return (
    <>
      <header>
        <Link
          href="/settings/webhooks"
          className="-ml-1 mb-1 inline-flex min-h-6 items-center gap-0.5 text-label text-muted hover:text-foreground"
        >
          <ChevronLeft aria-hidden className="size-4" />
          Webhooks
        </Link>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <div className="flex min-w-0 items-center gap-2.5">
            <h2 className="truncate text-base font-semibold" title={webhookName(webhook)}>
              {webhookName(webhook)}
            </h2>
            <WebhookStatus webhook={webhook} />
          </div>
          <div className="flex items-center gap-2">
            <Button variant="primary" size="sm" onPress={() => setDialog('test')}>
              <Send aria-hidden />
              Send test
            </Button>
            <PauseButton webhook={webhook} />
            <Actions onAsk={setDialog} />
          </div>
        </div>
      </header>
      <Trouble webhook={webhook} />
      <SectionCard
        title="Endpoint"
        actions={
          <Button variant="secondary" size="sm" onPress={() => setDialog('edit')}>
            <Pencil aria-hidden />
            Edit
          </Button>
        }
      >
        <Facts>
          <Fact label="URL">
            <code className="font-mono text-label break-all">{webhook.url}</code>
          </Fact>
          <Fact label="Events">{webhook.events.map(patternLabel).join(', ')}</Fact>
          {webhook.description && <Fact label="Description">{webhook.description}</Fact>}
          <Fact label="Created">
            <RelativeTime value={webhook.createdAt} />
          </Fact>
        </Facts>
      </SectionCard>
      {dialog === 'edit' && <EditWebhookDialog webhook={webhook} onClose={close} />}
      {dialog === 'rotate' && <RotateSecretDialog webhook={webhook} onClose={close} onIssued={setDialog} />}
      {dialog === 'delete' && <DeleteWebhookDialog webhook={webhook} onClose={close} onDeleted={leave} />}
      {dialog === 'test' && <TestDialog webhook={webhook} onClose={close} onSent={openDelivery} />}
      {dialog === 'recover' && <RecoverDialog webhook={webhook} onClose={close} />}
      {dialog !== null && typeof dialog === 'object' && <IssuedSecretDialog issued={dialog} onClose={close} />}
    </>
  );
}

/** Says since when deliveries fail, or why nothing is sent any more. */
function Trouble({ webhook }: { webhook: WebhookRecord }) {
  const { label, since, reason } = healthOf(webhook);
  if (since === null && reason === null) return null;
  return (
    <p
      role="status"
      className={`flex gap-2 rounded-md px-3 py-2 ${label === 'Disabled' ? 'bg-danger-soft text-danger-text' : 'bg-warning-soft text-warning-text'}`}
    >
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>
        {reason ?? (
          <>
            Deliveries have failed since <RelativeTime value={since ?? webhook.updatedAt} />. See the attempts below for the
            reason.
          </>
        )}
        {label === 'Disabled' && ' Fix the receiver, choose Enable, then recover what it missed.'}
      </span>
    </p>
  );
}

/** Stops or restarts sending. */
function PauseButton({ webhook: { id, status } }: { webhook: WebhookRecord }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const update = useMutation(
    trpc.webhooks.update.mutationOptions({
      onSuccess: async (changed) => {
        await queryClient.invalidateQueries(trpc.webhooks.pathFilter());
        if (changed.status === 'paused') toast('Paused. Events from now on are not sent; you can recover them later.');
      },
      onError: (error) => toast.failure('Couldn’t change the webhook.', error),
    }),
  );
  const isActive = status === 'active';
  return (
    <PendingButton
      variant="secondary"
      size="sm"
      isPending={update.isPending}
      onPress={() => update.mutate({ webhookId: id, status: isActive ? 'paused' : 'active' })}
    >
      {isActive ? <Pause aria-hidden /> : <Play aria-hidden />}
      {isActive ? 'Pause' : status === 'paused' ? 'Resume' : 'Enable'}
    </PendingButton>
  );
}

const icon = { 'aria-hidden': true, className: 'size-4 text-muted', strokeWidth: 1.75 } as const;

function Actions({ onAsk }: { onAsk: (dialog: 'rotate' | 'recover' | 'delete') => void }) {
  return (
    <Dropdown>
      <IconButton label="More actions" variant="secondary">
        <Ellipsis aria-hidden />
      </IconButton>
      <Dropdown.Popover placement="bottom end" className="w-56">
        <Dropdown.Menu
          aria-label="More actions"
          onAction={(action) => onAsk(action === 'rotate' || action === 'recover' ? action : 'delete')}
        >
          <Dropdown.Item id="recover" textValue="Recover deliveries">
            <History {...icon} />
            Recover deliveries…
          </Dropdown.Item>
          <Dropdown.Item id="rotate" textValue="Rotate secret">
            <KeyRound {...icon} />
            Rotate secret…
          </Dropdown.Item>
          <Dropdown.Item id="delete" textValue="Delete" className="text-danger-text">
            <Trash2 aria-hidden className="size-4" strokeWidth={1.75} />
            Delete…
          </Dropdown.Item>
        </Dropdown.Menu>
      </Dropdown.Popover>
    </Dropdown>
  );
}
