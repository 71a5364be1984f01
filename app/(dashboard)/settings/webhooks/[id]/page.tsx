import type { Metadata } from 'next';
import { cache } from 'react';
import { recordOrNull, type SearchPageProps } from '@/app/_trpc/page-data';
import { HydrateClient, prefetch, serverQueryClient, trpc } from '@/app/_trpc/server';
import { WebhookDetail } from '../_components/webhook-detail';
import { webhookName } from '../_components/webhook-labels';
import { WebhookNotFound } from '../_components/webhook-not-found';
import { deliveriesInput, loadDeliverySearch } from '../search-params';

interface WebhookPageProps extends SearchPageProps {
  params: Promise<{ id: string }>;
}

const loadWebhook = cache((webhookId: string) =>
  recordOrNull(serverQueryClient().fetchQuery(trpc.webhooks.get.queryOptions({ webhookId }))),
);

export async function generateMetadata({ params }: WebhookPageProps): Promise<Metadata> {
  const webhook = await loadWebhook((await params).id);
  if (webhook === null) return { title: 'Webhook not found' };
  return { title: webhook ? `${webhookName(webhook)} · Webhooks` : 'Webhook' };
}

export default async function WebhookPage({ params, searchParams }: WebhookPageProps) {
  const { id } = await params;
  if ((await loadWebhook(id)) === null) return <WebhookNotFound />;
  const search = await loadDeliverySearch(searchParams);
  await prefetch(trpc.webhooks.deliveries.queryOptions(deliveriesInput(id, search)));
  return (
    <HydrateClient>
      <WebhookDetail id={id} />
    </HydrateClient>
  );
}
