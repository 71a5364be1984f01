import type { Metadata } from 'next';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { TwoFactor } from '../_components/two-factor';

export const metadata: Metadata = { title: 'Security · Settings' };

export default async function SecurityPage() {
  await prefetch(trpc.twoFactor.status.queryOptions({}));
  return (
    <HydrateClient>
      <TwoFactor />
    </HydrateClient>
  );
}
