import type { Metadata } from 'next';
import { SectionCard } from '@/app/_kit/section-card';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { zoneDataAdvice } from '@/server/platform/ical/zone-data';
import { MailSettings } from '../_components/mail-settings';

export const metadata: Metadata = { title: 'Email · Settings' };

/** The state of mail and its setup, including settings that would break invitations. */
export default async function MailSettingsPage() {
  await prefetch(trpc.mail.status.queryOptions({}));
  const advice = zoneDataAdvice();
  return (
    <HydrateClient>
      <MailSettings />
      {advice !== null && <SectionCard title="Time zones" description={advice} />}
    </HydrateClient>
  );
}
