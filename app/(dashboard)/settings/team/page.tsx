import type { Metadata } from 'next';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { TeamSettings } from './_components/team-settings';

export const metadata: Metadata = { title: 'Team · Settings' };

/** The people who work for this business, and who is invited. */
export default async function TeamPage() {
  await prefetch(trpc.members.team.queryOptions({}));
  return (
    <HydrateClient>
      <TeamSettings />
    </HydrateClient>
  );
}
