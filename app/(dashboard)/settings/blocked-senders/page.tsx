import type { Metadata } from 'next';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { BlockedSenders } from './_components/blocked-senders';

export const metadata: Metadata = { title: 'Blocked senders · Settings' };

/** Senders whose email is spam. */
export default async function BlockedSendersPage() {
  await prefetch(trpc.blockedSenders.list.queryOptions({}));
  return (
    <HydrateClient>
      <BlockedSenders />
    </HydrateClient>
  );
}
