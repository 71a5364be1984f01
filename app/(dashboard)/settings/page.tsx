import type { Metadata } from 'next';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { AccountSettings } from './_components/account-settings';

export const metadata: Metadata = { title: 'Settings' };

export default async function SettingsPage() {
  await Promise.all([prefetch(trpc.account.get.queryOptions({})), prefetch(trpc.singleSignOn.status.queryOptions({}))]);
  return (
    <HydrateClient>
      <AccountSettings />
    </HydrateClient>
  );
}
