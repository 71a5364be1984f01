import type { Metadata } from 'next';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { AuditLog } from './_components/audit-log';
import { LogPage } from './_components/log-page';
import { auditInput, loadAuditSearch, needsViewersClock } from './search-params';

export const metadata: Metadata = { title: 'Audit log' };

interface AuditPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** Who changed what, and when. */
export default function AuditPage({ searchParams }: AuditPageProps) {
  return (
    <LogPage current="/audit" description="Every change to this business: who made it, when, and what was there before.">
      <PrefetchedAuditLog searchParams={searchParams} />
    </LogPage>
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
