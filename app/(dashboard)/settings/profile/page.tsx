import type { Metadata } from 'next';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { ProfileSettings } from './_components/profile-settings';

export const metadata: Metadata = { title: 'Profile · Settings' };

/** What the signed-in person says about themselves. */
export default async function ProfilePage() {
  await Promise.all([prefetch(trpc.account.get.queryOptions({})), prefetch(trpc.members.signature.queryOptions({}))]);
  return (
    <HydrateClient>
      <ProfileSettings />
    </HydrateClient>
  );
}
