import type { Metadata } from 'next';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { ApiSettings } from '../_components/api-settings';

export const metadata: Metadata = { title: 'Plan & API · Settings' };

export default async function ApiSettingsPage() {
  await Promise.all([prefetch(trpc.account.get.queryOptions({})), prefetch(trpc.apiKeys.list.queryOptions({}))]);
  return (
    <HydrateClient>
      <ApiSettings />
    </HydrateClient>
  );
}
