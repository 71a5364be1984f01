'use client';

import { useTRPC } from '@/app/_trpc/client';
import { usePages } from '@/app/_trpc/use-pages';
import type { AuditEntry, AuditList } from '@/server/features/audit/audit.schema';
import type { SecurityEventRecord, SecurityList } from '@/server/features/audit/security.schema';
import { type AuditSearch, auditInput, type SecuritySearch, securityInput } from '../search-params';

/** A log, page after page. A page may have few entries, or none, and still a next one. */
export type Log<Item> = ReturnType<typeof usePages<unknown, Item & { id: string }, string | null>>;

/** How both logs are read. */
const reading = {
  first: null,
  next: (last: { next: string | null }) => last.next,
  keepsPrevious: true,
  // What was done a moment ago on another page has to be here.
  refetchOnMount: 'always',
} as const;

const before = (last: string | null) => (last ? { before: last } : {});

const entriesOf = (page: AuditList) => page.entries;

/** What was changed. */
export function useAudit(search: AuditSearch): Log<AuditEntry> {
  const trpc = useTRPC();
  const input = auditInput(search);
  return usePages({
    ...reading,
    queryKey: trpc.audit.list.queryKey(input),
    pageAt: (last: string | null) => trpc.audit.list.queryOptions({ ...input, ...before(last) }),
    itemsOf: entriesOf,
  });
}

const eventsOf = (page: SecurityList) => page.events;

/** What was refused. */
export function useSecurityLog(search: SecuritySearch): Log<SecurityEventRecord> {
  const trpc = useTRPC();
  const input = securityInput(search);
  return usePages({
    ...reading,
    queryKey: trpc.audit.security.queryKey(input),
    pageAt: (last: string | null) => trpc.audit.security.queryOptions({ ...input, ...before(last) }),
    itemsOf: eventsOf,
  });
}
