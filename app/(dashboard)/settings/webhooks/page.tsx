import type { Metadata } from 'next';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { Webhooks } from './_components/webhooks';

export const metadata: Metadata = { title: 'Webhooks · Settings' };

export default async function WebhooksPage() {
  await prefetch(trpc.webhooks.list.queryOptions({}));
  return (
    <HydrateClient>
      <Webhooks />
    </HydrateClient>
  );
}
