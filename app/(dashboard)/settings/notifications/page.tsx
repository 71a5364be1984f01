import type { Metadata } from 'next';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { NotificationSettingsPage } from './_components/notification-settings';

export const metadata: Metadata = { title: 'Notifications · Settings' };

/** What the member is notified of by this business, how, and when not. */
export default async function NotificationsPage() {
  await prefetch(trpc.notifications.settings.queryOptions({}));
  return (
    <HydrateClient>
      <NotificationSettingsPage />
    </HydrateClient>
  );
}
