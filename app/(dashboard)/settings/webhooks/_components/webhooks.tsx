'use client';

import { useQuery } from '@tanstack/react-query';
import { Plus, Webhook } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '@/app/_kit/button';
import { ButtonLink } from '@/app/_kit/button-link';
import { type DataColumn, DataTable } from '@/app/_kit/data-table';
import { EmptyState } from '@/app/_kit/empty-state';
import { ListBody } from '@/app/_kit/list-body';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { SectionCard } from '@/app/_kit/section-card';
import { useNewRequest } from '@/app/_kit/use-new-request';
import { useTRPC } from '@/app/_trpc/client';
import type { IssuedSecret } from './webhook-dialogs';
import { eventsSummary, webhookName } from './webhook-labels';
import { WebhookStatus } from './webhook-status';
import type { WebhookRecord } from './webhook-types';

const CreateWebhookDialog = onDemandComponent(() => import('./webhook-dialogs').then((file) => file.CreateWebhookDialog));
const IssuedSecretDialog = onDemandComponent(() => import('./webhook-dialogs').then((file) => file.IssuedSecretDialog));

const columns: readonly DataColumn<WebhookRecord>[] = [
  {
    header: 'Webhook',
    phone: 'title',
    cell: (webhook) => <span title={webhook.url}>{webhookName(webhook)}</span>,
  },
  {
    header: 'Events',
    phone: 'line',
    className: 'text-muted md:w-[34%]',
    cell: ({ events }) => eventsSummary(events),
  },
  {
    header: 'Status',
    phone: 'aside',
    className: 'md:w-48',
    cell: (webhook) => <WebhookStatus webhook={webhook} />,
  },
];

/** The most webhooks that a business may have. */
const maximum = 10;

/** The webhooks of the business and whether they work. */
export function Webhooks() {
  const trpc = useTRPC();
  const router = useRouter();
  const list = useQuery(trpc.webhooks.list.queryOptions({}));
  const [dialog, setDialog] = useState<'create' | IssuedSecret | null>(null);
  useNewRequest(() => setDialog('create'));
  const webhooks = list.data?.webhooks;
  const create = (
    <Button
      variant="primary"
      size={webhooks?.length ? 'sm' : 'md'}
      isDisabled={(webhooks?.length ?? 0) >= maximum}
      onPress={() => setDialog('create')}
    >
      <Plus aria-hidden />
      New webhook
    </Button>
  );
  const closeIssued = (webhook: WebhookRecord) => {
    setDialog(null);
    router.push(`/settings/webhooks/${webhook.id}`);
  };
  return (
    <>
      <SectionCard
        title="Webhooks"
        description={`Frontdesk tells your programs what happens: it sends each event to a URL of yours, signed, and retries for three days. Up to ${maximum}.`}
        actions={webhooks && webhooks.length > 0 && create}
        flush
      >
        <ListBody
          what="webhooks"
          error={webhooks ? null : list.error}
          onRetry={() => void list.refetch()}
          reassurance="Your webhooks aren’t affected."
          isLoaded={webhooks !== undefined}
          isEmpty={webhooks?.length === 0}
          empty={
            <EmptyState
              icon={Webhook}
              title="No webhooks yet"
              description="Create one with the URL of your program, then send it a test event."
              action={create}
            />
          }
          lines={3}
        >
          <DataTable
            label="Webhooks"
            columns={columns}
            rows={webhooks ?? []}
            rowHref={({ id }) => `/settings/webhooks/${id}`}
            isInCard
          />
        </ListBody>
      </SectionCard>
      <SectionCard
        title="Events"
        description="Watch events as they happen. A program that Frontdesk can’t reach can read the event log instead."
        actions={
          <ButtonLink href="/settings/events" size="sm">
            View events
          </ButtonLink>
        }
      />
      {dialog === 'create' && <CreateWebhookDialog onClose={() => setDialog(null)} onIssued={setDialog} />}
      {dialog !== null && dialog !== 'create' && (
        <IssuedSecretDialog issued={dialog} onClose={() => closeIssued(dialog.webhook)} />
      )}
    </>
  );
}
