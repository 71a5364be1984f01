'use client';

import { History, ScrollText } from 'lucide-react';
import { useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import { Button } from '@/app/_kit/button';
import { EmptyState } from '@/app/_kit/empty-state';
import type { AuditEntry } from '@/server/features/audit/audit.schema';
import { auditSearchParams, isNarrowed } from '../search-params';
import { byDay, dateOf, dayName } from './audit-days';
import { AuditEntryRow } from './audit-entry-row';
import { AuditFilters } from './audit-filters';
import { subjectOf } from './audit-sentence';
import { LogList } from './log-list';
import { deletedIds, historyId } from './record-place';
import { useAudit } from './use-log';
import { useViewersClock } from './use-viewers-clock';

/** Who changed what: a list by day, newest first, and what narrows it down. */
export function AuditLog() {
  const [search, setSearch] = useQueryStates(auditSearchParams, { history: 'push' });
  const audit = useAudit(search);
  const { items: entries, hasMore } = audit;
  const showAll = () => void setSearch(null);
  return (
    <LogList
      label="Changes"
      log={audit}
      filters={
        <>
          <AuditFilters />
          {search.id && <HistoryNote id={search.id} entries={audit.isStale ? [] : entries} onShowAll={showAll} />}
        </>
      }
      empty={<NoEntries isFiltered={isNarrowed(search)} hasMore={hasMore} onShowAll={showAll} />}
      searchOlderLabel="Search older changes"
    >
      <Days entries={entries} />
    </LogList>
  );
}

function Days({ entries }: { entries: readonly AuditEntry[] }) {
  const clock = useViewersClock();
  const days = useMemo(() => byDay(entries, clock), [entries, clock]);
  const deleted = useMemo(() => deletedIds(entries), [entries]);
  const today = clock.timeZone ? null : dateOf(new Date(), clock);
  return days.map(({ date, entries: ofDay }) => (
    <section key={date} aria-labelledby={`day-${date}`}>
      <h2
        id={`day-${date}`}
        className="border-b border-separator bg-background-secondary px-4 py-1.5 text-xs font-medium text-muted"
      >
        {dayName(date, today, clock.locale)}
      </h2>
      <ul>
        {ofDay.map((entry) => (
          <AuditEntryRow key={entry.id} entry={entry} clock={clock} deleted={deleted} />
        ))}
      </ul>
    </section>
  ));
}

/** Says whose history this is, and leads back to everything. */
function HistoryNote({ id, entries, onShowAll }: { id: string; entries: readonly AuditEntry[]; onShowAll: () => void }) {
  const own = entries.find((entry) => entry.resourceId === id);
  const part = entries.find((entry) => historyId(entry) === id);
  return (
    <div className="mt-1 flex w-full items-center gap-x-3 rounded-md border border-border bg-background-secondary px-3 py-1.5">
      <History aria-hidden className="size-4 shrink-0 text-muted" />
      <p className="min-w-0 flex-1 wrap-anywhere">
        History of{' '}
        {own ? (
          <strong className="font-medium">{subjectOf(own)}</strong>
        ) : (
          <span title={id}>{part ? `what ${subjectOf(part)} belongs to` : 'one record'}</span>
        )}{' '}
        and its parts
      </p>
      <Button size="sm" variant="ghost" onPress={onShowAll}>
        Show all changes
      </Button>
    </div>
  );
}

interface NoEntriesProps {
  isFiltered: boolean;
  hasMore: boolean;
  onShowAll: () => void;
}

function NoEntries({ isFiltered, hasMore, onShowAll }: NoEntriesProps) {
  if (!isFiltered) {
    return (
      <EmptyState
        icon={ScrollText}
        title="Nothing has changed yet"
        description="Whatever you, your programs or the system change in this business stands here from then on, with what was there before."
      />
    );
  }
  return (
    <EmptyState
      icon={ScrollText}
      title={hasMore ? 'Nothing matches among the newest changes' : 'No change matches'}
      description={
        hasMore
          ? 'The newest 20,000 were looked at. Older ones may match.'
          : 'Loosen a filter, or look at another time. Changes are kept for a limited time only.'
      }
      action={
        <Button variant="secondary" onPress={onShowAll}>
          Show all changes
        </Button>
      }
    />
  );
}
