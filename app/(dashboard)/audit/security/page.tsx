import type { Metadata } from 'next';
import { Suspense } from 'react';
import { PageHeader } from '@/app/_components/page-header';
import { SkeletonLines } from '@/app/_components/skeleton-lines';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { AuditNav } from '../_components/audit-nav';
import { SecurityLog } from '../_components/security-log';
import { loadSecuritySearch, securityInput } from '../search-params';

export const metadata: Metadata = { title: 'Security log' };

interface SecurityPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** What was refused, to whom and why. */
export default function SecurityPage({ searchParams }: SecurityPageProps) {
  return (
    <>
      <PageHeader
        title="Audit log"
        description="Failed sign-ins, refused API keys and blocked requests that concern your account or this business."
      />
      <AuditNav current="/audit/security" />
      <Suspense fallback={<SkeletonLines lines={8} label="Loading the security log" />}>
        <PrefetchedSecurityLog searchParams={searchParams} />
      </Suspense>
    </>
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
