import type { Metadata } from 'next';
import { Suspense } from 'react';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { ApiKeys } from './_components/api-keys';

export const metadata: Metadata = { title: 'API keys' };

/** The keys with which programs act for this business. */
export default async function ApiKeysPage() {
  await prefetch(trpc.apiKeys.list.queryOptions({}));
  return (
    <HydrateClient>
      <Suspense>
        <ApiKeys />
      </Suspense>
    </HydrateClient>
  );
}
