import type { Metadata } from 'next';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { BusinessProfile } from './_components/business-profile';

export const metadata: Metadata = { title: 'Business profile' };

export default async function IdentityPage() {
  await Promise.all([
    prefetch(trpc.identity.get.queryOptions({})),
    prefetch(trpc.identity.addresses.queryOptions({})),
    prefetch(trpc.agentMail.agents.queryOptions({})),
  ]);
  return (
    <HydrateClient>
      <BusinessProfile />
    </HydrateClient>
  );
}
