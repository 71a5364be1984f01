import type { Metadata } from 'next';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { Mailboxes } from './_components/mailboxes';

export const metadata: Metadata = { title: 'Mailboxes · Settings' };

/** Mailboxes of other servers, whose email comes to the inbox. */
export default async function MailboxesPage() {
  await Promise.all([prefetch(trpc.mailboxes.list.queryOptions({})), prefetch(trpc.mailboxClients.list.queryOptions({}))]);
  return (
    <HydrateClient>
      <Mailboxes />
    </HydrateClient>
  );
}
