'use client';

import { useQueryStates } from 'nuqs';
import { useCallback } from 'react';
import { SearchField } from '@/app/_components/search-field';
import { agentStatuses } from '@/server/modules/agents/agent.schema';
import { agentSearchParams, searchMaximum } from '../search-params';
import { statusWords } from './agent-words';

const choices = [
  { value: null, label: 'All' },
  ...agentStatuses.map((status) => ({ value: status, label: statusWords[status].label })),
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
      <fieldset className="flex rounded-md bg-default p-0.5">
        <legend className="sr-only">Status</legend>
        {choices.map(({ value, label }) => (
          <label
            key={label}
            className="flex h-8 cursor-pointer items-center rounded-sm px-2.5 text-label text-muted has-checked:bg-segment has-checked:font-medium has-checked:text-foreground has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus max-sm:h-9"
          >
            <input
              type="radio"
              name="status"
              value={value ?? ''}
              checked={search.status === value}
              onChange={() => void setSearch({ status: value, page: null }, { history: 'push' })}
              className="sr-only"
            />
            {label}
          </label>
        ))}
      </fieldset>
    </>
  );
}
