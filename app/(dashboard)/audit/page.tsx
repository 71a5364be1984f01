import type { Metadata } from 'next';
import { Suspense } from 'react';
import { PageHeader } from '@/app/_components/page-header';
import { SkeletonLines } from '@/app/_components/skeleton-lines';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { AuditLog } from './_components/audit-log';
import { AuditNav } from './_components/audit-nav';
import { auditInput, loadAuditSearch, needsViewersClock } from './search-params';

export const metadata: Metadata = { title: 'Audit log' };

interface AuditPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** Who changed what, and when. */
export default function AuditPage({ searchParams }: AuditPageProps) {
  return (
    <>
      <PageHeader title="Audit log" description="Every change to this business: who made it, when, and what was there before." />
      <AuditNav current="/audit" />
      <Suspense fallback={<SkeletonLines lines={10} label="Loading the audit log" />}>
        <PrefetchedAuditLog searchParams={searchParams} />
      </Suspense>
    </>
  );
}

async function PrefetchedAuditLog({ searchParams }: AuditPageProps) {
  const search = await loadAuditSearch(searchParams);
  await Promise.all([
    prefetch(trpc.apiKeys.list.queryOptions({})),
    needsViewersClock(search) ? null : prefetch(trpc.audit.list.queryOptions(auditInput(search))),
  ]);
  return (
    <HydrateClient>
      <AuditLog />
    </HydrateClient>
  );
}
