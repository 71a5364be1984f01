'use client';

import { useQuery } from '@tanstack/react-query';
import { History, type LucideIcon, ScrollText, Waypoints } from 'lucide-react';
import { useQueryStates } from 'nuqs';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { Button } from '@/app/_kit/button';
import { ChoiceFilter } from '@/app/_kit/choice-filter';
import { EmptyState } from '@/app/_kit/empty-state';
import { LoadMoreList } from '@/app/_kit/list-body';
import { SearchField } from '@/app/_kit/search-field';
import { dateOf } from '@/app/_kit/viewer-format';
import { useTRPC } from '@/app/_trpc/client';
import { useCursorPages } from '@/app/_trpc/use-pages';
import type { AuditEntry } from '@/server/features/audit/audit.schema';
import { type AuditSearch, auditInput, auditSearchParams, isNarrowed } from '../search-params';
import { AuditEntryRow, AuditFoldRow } from './audit-entry-row';
import { actionFilters, authorFilters, keptLabel, resourceLabels } from './audit-labels';
import { subjectOf } from './audit-sentence';
import { DateFilter } from './date-filter';
import { foldEntries } from './fold-entries';
import { byDay, dayName, useViewersClock, type ViewersClock } from './log-time';
import { hasOpenDetails, isRowOpen, type OpenedEntries, toggleDetails, toggleRow } from './opened-entries';
import { deletedIds, historyId } from './record-link';

const choicesOf = <Key extends string>(words: Record<Key, string>) =>
  Object.entries<string>(words).map(([value, label]) => ({ value: value as Key, label }));

const resources = Object.entries(resourceLabels).map(([value, { many }]) => ({ value, label: many }));
const actions = choicesOf(actionFilters);

/** Prefix of a key's id among the author choices. */
const keyPrefix = 'key:';

/** The filters of the log, stored in the address. */
function AuditFilters() {
  const [search, setSearch] = useQueryStates(auditSearchParams);
  const filter = (change: Partial<typeof search>) => void setSearch(change, { history: 'push' });
  const setWords = useCallback((words: string) => void setSearch({ q: words || null }), [setSearch]);
  const authors = useAuthorChoices();
  const { resource, who, key, what, from, to, q, request } = search;
  const active = [resource, who ?? key, what, from ?? to, q, request].filter(Boolean).length;
  return (
    <>
      <SearchField label="Search changes" hint="By name or request ID" maxLength={200} value={q ?? ''} onSearch={setWords} />
      <ChoiceFilter
        label="Type"
        anyLabel="All types"
        choices={resources}
        value={resource ?? ''}
        onChange={(value) => filter({ resource: (value || null) as typeof resource })}
      />
      <ChoiceFilter
        label="User"
        anyLabel="Everyone"
        choices={authors}
        value={key ? `${keyPrefix}${key}` : (who ?? '')}
        onChange={(value) =>
          filter(
            value.startsWith(keyPrefix)
              ? { key: value.slice(keyPrefix.length), who: null }
              : { key: null, who: (value || null) as typeof who },
          )
        }
      />
      <ChoiceFilter
        label="Action"
        anyLabel="All actions"
        choices={actions}
        value={what ?? ''}
        onChange={(value) => filter({ what: (value || null) as typeof what })}
      />
      <DateFilter from={from} to={to} onChange={filter} />
      {active > 1 && (
        <Button
          variant="ghost"
          size="sm"
          onPress={() =>
            filter({ resource: null, who: null, key: null, what: null, from: null, to: null, q: null, request: null })
          }
        >
          Clear all
        </Button>
      )}
    </>
  );
}

/** Possible authors, with each API key by its name. */
function useAuthorChoices() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.apiKeys.list.queryOptions({}));
  const keys = data?.map(({ id, name }) => ({ value: `${keyPrefix}${id}`, label: `API key ${name}` })) ?? [];
  return choicesOf(authorFilters).flatMap((choice) => (choice.value === 'key' ? [choice, ...keys] : [choice]));
}

/** The audit log: changes grouped by day, newest first, with filters. */
export function AuditLog() {
  const [search, setSearch] = useQueryStates(auditSearchParams, { history: 'push' });
  const pages = useAudit(search);
  const { items: entries, firstPage, hasMore, isStale } = pages;
  const clock = useViewersClock();
  const kept = firstPage && keptLabel(firstPage.retentionDays, clock.locale);
  const showAll = () => void setSearch(null);
  return (
    <>
      <LoadMoreList
        label="Changes"
        what="changes"
        more="older changes"
        loadMoreLabel={entries.length === 0 ? 'Search older changes' : 'Load older'}
        lines={10}
        pages={pages}
        header={
          <>
            <AuditFilters />
            {search.request && <RequestNote request={search.request} onShowAll={showAll} />}
            {search.id && <HistoryNote id={search.id} entries={isStale ? [] : entries} onShowAll={showAll} />}
          </>
        }
        empty={<NoEntries isFiltered={isNarrowed(search)} hasMore={hasMore} onShowAll={showAll} />}
      >
        <Days entries={entries} clock={clock} />
      </LoadMoreList>
      {kept && <p className="mt-3 text-label text-muted">{kept}</p>}
    </>
  );
}

/** The changes, loaded in pages. A page may have few entries or none although there is a next one. */
function useAudit(search: AuditSearch) {
  const trpc = useTRPC();
  const input = auditInput(search);
  return useCursorPages({
    pageAt: (cursor) => trpc.audit.list.queryOptions({ ...input, ...cursor }),
    items: 'entries',
    keepsPrevious: true,
    // A change made a moment ago on another page has to be in the log.
    refetchOnMount: 'always',
  });
}

function Days({ entries, clock }: { entries: readonly AuditEntry[]; clock: ViewersClock }) {
  const days = useMemo(
    () => byDay(entries, clock).map((day) => ({ date: day.date, rows: foldEntries(day.entries) })),
    [entries, clock],
  );
  const deleted = useMemo(() => deletedIds(entries), [entries]);
  const today = clock.timeZone ? null : dateOf(new Date());
  const [opened, setOpened] = useState<OpenedEntries>(new Map());
  const rowOf = (entry: AuditEntry, sharesRow: boolean) => (
    <AuditEntryRow
      key={entry.id}
      entry={entry}
      clock={clock}
      deleted={deleted}
      isOpen={hasOpenDetails(opened, entry.id)}
      onToggle={() => setOpened((before) => toggleDetails(before, entry.id, sharesRow))}
    />
  );
  return days.map(({ date, rows }) => (
    <section key={date} aria-labelledby={`day-${date}`}>
      <h2
        id={`day-${date}`}
        className="border-b border-separator bg-background-secondary px-4 py-1.5 text-xs font-medium text-muted"
      >
        {dayName(date, today, clock.locale)}
      </h2>
      <ul>
        {rows.map((row) => {
          const [newest, ...others] = row;
          if (others.length === 0) return rowOf(newest, false);
          const ids = [newest.id, ...others.map(({ id }) => id)] as const;
          return (
            <AuditFoldRow
              key={newest.id}
              entries={row}
              clock={clock}
              isOpen={isRowOpen(opened, ids)}
              onToggle={() => setOpened((before) => toggleRow(before, ids))}
            >
              {(entry) => rowOf(entry, true)}
            </AuditFoldRow>
          );
        })}
      </ul>
    </section>
  ));
}

/** Says whose history this is, with a link back to everything. */
function HistoryNote({ id, entries, onShowAll }: { id: string; entries: readonly AuditEntry[]; onShowAll: () => void }) {
  const own = entries.find((entry) => entry.resourceId === id);
  const part = entries.find((entry) => historyId(entry) === id);
  return (
    <LogNote icon={History} onShowAll={onShowAll}>
      History of{' '}
      {own ? (
        <strong className="font-medium">{subjectOf(own)}</strong>
      ) : (
        <span title={id}>{part ? `the record containing ${subjectOf(part)}` : 'this record'}</span>
      )}
    </LogNote>
  );
}

/** Says that these are the changes of one request, which a link led to. */
function RequestNote({ request, onShowAll }: { request: string; onShowAll: () => void }) {
  return (
    <LogNote icon={Waypoints} onShowAll={onShowAll}>
      Changes of request <code className="font-mono text-xs">{request}</code>
    </LogNote>
  );
}

/** Says what the log is limited to, with a link back to everything. */
function LogNote({ icon: Icon, onShowAll, children }: { icon: LucideIcon; onShowAll: () => void; children: ReactNode }) {
  return (
    <div className="mt-1 flex w-full items-center gap-x-3 rounded-md border border-border bg-background-secondary px-3 py-1.5">
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <p className="min-w-0 flex-1 wrap-anywhere">{children}</p>
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
        title="No changes yet"
        description="Every change by you, your apps or the system appears here with its previous values."
      />
    );
  }
  return (
    <EmptyState
      icon={ScrollText}
      title={hasMore ? 'No matches in the latest changes' : 'No changes found'}
      description={
        hasMore ? 'Searched the latest 20,000 changes. Older ones may match.' : 'Try other words, fewer filters or another date.'
      }
      action={
        <Button variant="secondary" onPress={onShowAll}>
          Show all changes
        </Button>
      }
    />
  );
}
