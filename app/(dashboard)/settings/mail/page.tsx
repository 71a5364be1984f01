import type { Metadata } from 'next';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { MailSettings } from '../_components/mail-settings';

export const metadata: Metadata = { title: 'Mail · Settings' };

/** What works of mail, and what is to be set up. */
export default async function MailSettingsPage() {
  await prefetch(trpc.mail.status.queryOptions({}));
  return (
    <HydrateClient>
      <MailSettings />
    </HydrateClient>
  );
}
