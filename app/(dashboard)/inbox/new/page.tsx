import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import type { SearchParams } from 'nuqs/server';
import { v7 as newUuid } from 'uuid';
import { isUuid } from '@/app/_kit/uuid';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { NewEmail } from '../_components/new-email';
import { newEmailInput } from '../new-email-input';
import { loadNewEmailSearch, newEmailPath } from '../search-params';

export const metadata: Metadata = { title: 'New email' };

export default async function NewEmailPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { draft, forward, to, ...search } = await loadNewEmailSearch(searchParams);
  const start = { ...(forward !== null && isUuid(forward) ? { forward } : {}), ...(to === null ? {} : { to }) };
  // Each email has an address of its own, which shows it again.
  if (draft === null || !isUuid(draft)) redirect(newEmailPath({ ...start, draft: newUuid() }, search));
  await prefetch(trpc.conversations.newEmailDraft.queryOptions(newEmailInput({ ...start, draft })));
  return (
    <HydrateClient>
      <NewEmail key={draft} start={{ ...start, draft }} />
    </HydrateClient>
  );
}
