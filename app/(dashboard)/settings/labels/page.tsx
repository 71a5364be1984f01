import type { Metadata } from 'next';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { Labels } from './_components/labels';

export const metadata: Metadata = { title: 'Labels · Settings' };

/** What the business sorts its conversations by. */
export default async function LabelsPage() {
  await prefetch(trpc.labels.list.queryOptions({}));
  return (
    <HydrateClient>
      <Labels />
    </HydrateClient>
  );
}
