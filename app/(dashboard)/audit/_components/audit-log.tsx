'use client';

import { useQuery } from '@tanstack/react-query';
import { History, ScrollText } from 'lucide-react';
import { useQueryStates } from 'nuqs';
import { useCallback, useMemo } from 'react';
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
import { AuditEntryRow } from './audit-entry-row';
import { actionFilters, authorFilters, resourceLabels } from './audit-labels';
import { subjectOf } from './audit-sentence';
import { DateFilter } from './date-filter';
import { byDay, dayName, useViewersClock } from './log-time';
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
  const setRequest = useCallback((request: string) => void setSearch({ request: request || null }), [setSearch]);
  const authors = useAuthorChoices();
  const { resource, who, key, what, from, to, request } = search;
  const active = [resource, who ?? key, what, from ?? to, request].filter(Boolean).length;
  return (
    <>
      <SearchField
        label="Find a request ID"
        hint="Finds the changes of one request by its X-Request-Id"
        maxLength={200}
        value={request ?? ''}
        onSearch={setRequest}
      />
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
          onPress={() => filter({ resource: null, who: null, key: null, what: null, from: null, to: null, request: null })}
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
  const { items: entries, hasMore, isStale } = pages;
  const showAll = () => void setSearch(null);
  return (
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
          {search.id && <HistoryNote id={search.id} entries={isStale ? [] : entries} onShowAll={showAll} />}
        </>
      }
      empty={<NoEntries isFiltered={isNarrowed(search)} hasMore={hasMore} onShowAll={showAll} />}
    >
      <Days entries={entries} />
    </LoadMoreList>
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

function Days({ entries }: { entries: readonly AuditEntry[] }) {
  const clock = useViewersClock();
  const days = useMemo(() => byDay(entries, clock), [entries, clock]);
  const deleted = useMemo(() => deletedIds(entries), [entries]);
  const today = clock.timeZone ? null : dateOf(new Date());
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

/** Says whose history this is, with a link back to everything. */
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
          <span title={id}>{part ? `the record containing ${subjectOf(part)}` : 'this record'}</span>
        )}
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
        hasMore
          ? 'Searched the latest 20,000 changes. Older ones may match.'
          : 'Try fewer filters or another date. Changes are kept for a limited time.'
      }
      action={
        <Button variant="secondary" onPress={onShowAll}>
          Show all changes
        </Button>
      }
    />
  );
}
