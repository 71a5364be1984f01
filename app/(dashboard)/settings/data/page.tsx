import type { Metadata } from 'next';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { DataSettings } from '../_components/data-settings';

export const metadata: Metadata = { title: 'Data · Settings' };

export default async function DataSettingsPage() {
  await prefetch(trpc.data.get.queryOptions({}));
  return (
    <HydrateClient>
      <DataSettings />
    </HydrateClient>
  );
}
