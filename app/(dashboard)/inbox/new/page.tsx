import type { Metadata } from 'next';
import type { SearchParams } from 'nuqs/server';
import { isUuid } from '@/app/_kit/uuid';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { NewEmail } from '../_components/new-email';
import { newEmailInput } from '../new-email-input';
import { loadNewEmailSearch } from '../search-params';

export const metadata: Metadata = { title: 'New email' };

export default async function NewEmailPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { forward, to } = await loadNewEmailSearch(searchParams);
  const start = { ...(forward !== null && isUuid(forward) ? { forward } : {}), ...(to === null ? {} : { to }) };
  await prefetch(trpc.conversations.newEmailDraft.queryOptions(newEmailInput(start)));
  return (
    <HydrateClient>
      <NewEmail key={JSON.stringify(start)} start={start} />
    </HydrateClient>
  );
}
