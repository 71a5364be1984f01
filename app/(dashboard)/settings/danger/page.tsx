import type { Metadata } from 'next';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { DangerZone } from '../_components/danger-zone';

export const metadata: Metadata = { title: 'Danger zone · Settings' };

export default async function DangerPage() {
  await prefetch(trpc.account.get.queryOptions({}));
  return (
    <HydrateClient>
      <DangerZone />
    </HydrateClient>
  );
}
