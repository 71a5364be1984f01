import type { Metadata } from 'next';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { LogPage } from '../_components/log-page';
import { SecurityLog } from '../_components/security-log';
import { loadSecuritySearch, securityInput } from '../search-params';

export const metadata: Metadata = { title: 'Security log' };

interface SecurityPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** What was refused, to whom and why. */
export default function SecurityPage({ searchParams }: SecurityPageProps) {
  return (
    <LogPage
      current="/audit/security"
      description="Failed sign-ins, refused API keys and blocked requests that concern your account or this business."
    >
      <PrefetchedSecurityLog searchParams={searchParams} />
    </LogPage>
  );
}

async function PrefetchedSecurityLog({ searchParams }: SecurityPageProps) {
  const search = await loadSecuritySearch(searchParams);
  await prefetch(trpc.audit.security.queryOptions(securityInput(search)));
  return (
    <HydrateClient>
      <SecurityLog />
    </HydrateClient>
  );
}
