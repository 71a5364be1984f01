import type { Metadata } from 'next';
import type { SearchPageProps } from '@/app/_trpc/page-data';
import { prefetch, trpc } from '@/app/_trpc/server';
import { AuditLog } from './_components/audit-log';
import { LogPage } from './_components/log-page';
import { auditInput, loadAuditSearch, needsViewersClock } from './search-params';

export const metadata: Metadata = { title: 'Audit log' };

export default function AuditPage({ searchParams }: SearchPageProps) {
  const load = async () => {
    const search = await loadAuditSearch(searchParams);
    await Promise.all([
      prefetch(trpc.apiKeys.list.queryOptions({})),
      needsViewersClock(search) ? null : prefetch(trpc.audit.list.queryOptions(auditInput(search))),
    ]);
  };
  return (
    <LogPage
      current="/audit"
      description="Every change to this business: who made it, when, and the previous values."
      load={load}
    >
      <AuditLog />
    </LogPage>
  );
}
