import type { Metadata } from 'next';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { Sessions } from '../_components/sessions';

export const metadata: Metadata = { title: 'Sessions · Settings' };

export default async function SessionsPage() {
  await prefetch(trpc.account.sessions.queryOptions({}));
  return (
    <HydrateClient>
      <Sessions />
    </HydrateClient>
  );
}
