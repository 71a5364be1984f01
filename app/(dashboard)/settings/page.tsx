import type { Metadata } from 'next';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { Settings } from './_components/settings';

export const metadata: Metadata = { title: 'Settings' };

/** The signed-in person's account, and what the business is entitled to. */
export default async function SettingsPage() {
  await prefetch(trpc.account.get.queryOptions({}));
  return (
    <HydrateClient>
      <Settings />
    </HydrateClient>
  );
}
