'use client';

import { useQueryStates } from 'nuqs';
import { useCallback } from 'react';
import { keysOf } from '@/app/_kit/keys-of';
import { SearchField } from '@/app/_kit/search-field';
import { Segments } from '@/app/_kit/segments';
import { agentSearchParams, searchMaximum } from '../search-params';
import { statusWords } from './agent-words';

const choices = [
  { value: null, label: 'All' },
  ...keysOf(statusWords).map((status) => ({ value: status, label: statusWords[status].label })),
] as const;

/** Search and status filter of the gallery; both live in the address. */
export function AgentFilters() {
  const [search, setSearch] = useQueryStates(agentSearchParams);
  // Typing replaces the address, so that "back" does not step through every letter; choosing a filter is a step of its own.
  const setQuery = useCallback((q: string) => void setSearch({ q: q || null, page: null }), [setSearch]);
  return (
    <>
      <SearchField
        label="Search agents"
        hint="Searches name, kind and role. * stands for any characters and ? for one."
        maxLength={searchMaximum}
        value={search.q}
        onSearch={setQuery}
      />
      <Segments
        label="Status"
        segments={choices}
        value={search.status}
        onChange={(status) => void setSearch({ status, page: null }, { history: 'push' })}
      />
    </>
  );
}
