import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { InboxFrame } from './_components/inbox-frame';
import { draftsInput, scheduledInput } from './drafts-input';
import { listInput, loadInboxSearch } from './search-params';

/**
 * The list is shown beside every thread, so it is fetched here. Layouts have no access to the address's query; the proxy passes
 * it on.
 */
export default async function InboxLayout({ children }: { children: ReactNode }) {
  const [, query = ''] = ((await headers()).get('x-frontdesk-path') ?? '').split('?');
  const search = loadInboxSearch(new URLSearchParams(query));
  await Promise.all([
    prefetch(trpc.conversations.list.queryOptions({ ...listInput(search), offset: 0 })),
    prefetch(trpc.drafts.list.queryOptions(draftsInput)),
    prefetch(trpc.scheduledEmails.list.queryOptions(scheduledInput)),
    prefetch(trpc.conversations.pulse.queryOptions({})),
    prefetch(trpc.agents.list.queryOptions({ limit: 100 })),
    prefetch(trpc.members.list.queryOptions({})),
    prefetch(trpc.labels.list.queryOptions({})),
  ]);
  return (
    <HydrateClient>
      <InboxFrame>{children}</InboxFrame>
    </HydrateClient>
  );
}
