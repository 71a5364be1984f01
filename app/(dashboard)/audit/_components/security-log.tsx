'use client';

import { ShieldCheck } from 'lucide-react';
import { useQueryStates } from 'nuqs';
import { Button } from '@/app/_kit/button';
import { ChoiceFilter } from '@/app/_kit/choice-filter';
import { CopyButton } from '@/app/_kit/copy-button';
import { EmptyState } from '@/app/_kit/empty-state';
import { LoadMoreList } from '@/app/_kit/list-body';
import { StatusBadge } from '@/app/_kit/status-badge';
import { useTRPC } from '@/app/_trpc/client';
import { useCursorPages } from '@/app/_trpc/use-pages';
import type { SecurityEventRecord } from '@/server/features/audit/security.schema';
import { type SecuritySearch, securityInput, securitySearchParams } from '../search-params';
import { LogTime, shortTime, useViewersClock, type ViewersClock } from './log-time';
import { originText, reasonText, securityKindLabels, subjectText } from './security-labels';

const kinds = Object.entries(securityKindLabels)
  // Events without an account are for the operator only.
  .filter(([value]) => value !== 'inbound_refused')
  .map(([value, label]) => ({ value, label }));

/** Attempts refused to or about this account and business, newest first. */
export function SecurityLog() {
  const [search, setSearch] = useQueryStates(securitySearchParams, { history: 'push' });
  const clock = useViewersClock();
  const pages = useSecurityLog(search);
  return (
    <LoadMoreList
      label="Security events"
      what="security events"
      more="older security events"
      loadMoreLabel="Load older"
      lines={10}
      pages={pages}
      header={
        <ChoiceFilter
          label="Type"
          anyLabel="All types"
          choices={kinds}
          value={search.kind ?? ''}
          onChange={(value) => void setSearch({ kind: (value || null) as typeof search.kind })}
        />
      }
      empty={<NoEvents isFiltered={search.kind !== null} onShowAll={() => void setSearch(null)} />}
    >
      <ul>
        {pages.items.map((event) => (
          <SecurityEventRow key={event.id} event={event} clock={clock} />
        ))}
      </ul>
    </LoadMoreList>
  );
}

function useSecurityLog(search: SecuritySearch) {
  const trpc = useTRPC();
  const input = securityInput(search);
  return useCursorPages({
    pageAt: (cursor) => trpc.audit.security.queryOptions({ ...input, ...cursor }),
    items: 'events',
    keepsPrevious: true,
    // An event of a moment ago has to be in the log.
    refetchOnMount: 'always',
  });
}

function NoEvents({ isFiltered, onShowAll }: { isFiltered: boolean; onShowAll: () => void }) {
  return (
    <EmptyState
      icon={ShieldCheck}
      title={isFiltered ? 'No events of this type' : 'No security events'}
      description="Failed sign-ins, refused API keys and blocked requests of your account and this business appear here."
      action={
        isFiltered && (
          <Button variant="secondary" onPress={onShowAll}>
            Show all events
          </Button>
        )
      }
    />
  );
}

/** Refusals with one cause within one minute: what, why, its subject, origin and count. Two lines on a phone. */
function SecurityEventRow({ event, clock }: { event: SecurityEventRecord; clock: ViewersClock }) {
  const subject = subjectText(event);
  return (
    <li className="grid min-h-11 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b border-separator px-4 py-1.5 text-label last:border-b-0 md:grid-cols-[8rem_minmax(0,2fr)_minmax(0,1fr)_minmax(0,9rem)_auto]">
      <LogTime time={event.lastAt} clock={clock} write={shortTime} className="max-md:col-start-1 max-md:row-start-3" />
      <span className="flex min-w-0 items-center gap-x-2 max-md:col-span-2">
        <span className="min-w-0 truncate" title={`${securityKindLabels[event.kind]}: ${reasonText(event.reason)}`}>
          <span className="font-medium">{securityKindLabels[event.kind]}</span>
          <span className="text-muted"> · {reasonText(event.reason)}</span>
        </span>
        {event.count > 1 && <StatusBadge tone="warning">{event.count} times</StatusBadge>}
      </span>
      <span className="truncate text-muted max-md:col-span-2" title={subject}>
        {subject}
      </span>
      <span className="truncate font-mono text-xs text-muted max-md:row-start-3 max-md:justify-self-end" title={event.address}>
        <span className="sr-only">from </span>
        {originText(event.address)}
      </span>
      <span className="max-md:hidden">
        {event.requestId && <CopyButton size="sm" value={event.requestId} label="Copy request ID" />}
      </span>
    </li>
  );
}
