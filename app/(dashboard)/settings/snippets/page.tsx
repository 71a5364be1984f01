import type { Metadata } from 'next';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { Snippets } from './_components/snippets';

export const metadata: Metadata = { title: 'Snippets · Settings' };

/** The texts that the business sends again and again. */
export default async function SnippetsPage() {
  await prefetch(trpc.snippets.list.queryOptions({}));
  return (
    <HydrateClient>
      <Snippets />
    </HydrateClient>
  );
}
