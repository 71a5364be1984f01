'use client';

import { useTRPC } from '@/app/_trpc/client';
import { usePages } from '@/app/_trpc/use-pages';
import type { AuditList } from '@/server/modules/audit/audit.schema';
import { type AuditSearch, auditInput } from '../search-params';

const entriesOf = (page: AuditList) => page.entries;

/** The audit log, page after page. A page may have few entries, or none, and still a next one. */
export function useAudit(search: AuditSearch) {
  const trpc = useTRPC();
  const input = auditInput(search);
  return usePages({
    queryKey: trpc.audit.list.queryKey(input),
    pageAt: (before: string | null) => trpc.audit.list.queryOptions({ ...input, ...(before ? { before } : {}) }),
    first: null,
    next: (last) => last.next,
    itemsOf: entriesOf,
    keepsPrevious: true,
    // What was done a moment ago on another page has to be here.
    refetchOnMount: 'always',
  });
}
