'use client';

import { useQuery } from '@tanstack/react-query';
import { useQueryStates } from 'nuqs';
import { useCallback } from 'react';
import { Button } from '@/app/_kit/button';
import { ChoiceFilter } from '@/app/_kit/choice-filter';
import { SearchField } from '@/app/_kit/search-field';
import { useTRPC } from '@/app/_trpc/client';
import { auditSearchParams } from '../search-params';
import { actionFilters, authorFilters, resourceLabels } from './audit-labels';
import { DateFilter } from './date-filter';

const choicesOf = <Key extends string>(words: Record<Key, string>) =>
  Object.entries<string>(words).map(([value, label]) => ({ value: value as Key, label }));

const resources = Object.entries(resourceLabels).map(([value, { many }]) => ({ value, label: many }));
const actions = choicesOf(actionFilters);

/** Stands before a key's id among the choices of who. */
const keyPrefix = 'key:';

/** What narrows the log down; all of it lives in the address. */
export function AuditFilters() {
  const [search, setSearch] = useQueryStates(auditSearchParams);
  const filter = (change: Partial<typeof search>) => void setSearch(change, { history: 'push' });
  const setRequest = useCallback((request: string) => void setSearch({ request: request || null }), [setSearch]);
  const authors = useAuthorChoices();
  const { resource, who, key, what, from, to, request } = search;
  const active = [resource, who ?? key, what, from ?? to, request].filter(Boolean).length;
  return (
    <>
      <SearchField
        label="Find a request id"
        hint="Finds the changes of one request, by the id in its answer’s X-Request-Id"
        maxLength={200}
        value={request ?? ''}
        onSearch={setRequest}
      />
      <ChoiceFilter
        label="Kind"
        anyLabel="Every kind"
        choices={resources}
        value={resource ?? ''}
        onChange={(value) => filter({ resource: (value || null) as typeof resource })}
      />
      <ChoiceFilter
        label="Who"
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
        label="What"
        anyLabel="Any change"
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

/** Everyone who may have changed something, and each API key by its name. */
function useAuthorChoices() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.apiKeys.list.queryOptions({}));
  const keys = data?.map(({ id, name }) => ({ value: `${keyPrefix}${id}`, label: `API key ${name}` })) ?? [];
  return choicesOf(authorFilters).flatMap((choice) => (choice.value === 'key' ? [choice, ...keys] : [choice]));
}
