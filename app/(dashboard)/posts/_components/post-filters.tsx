'use client';

import { Button } from '@heroui/react/button';
import { useQueryStates } from 'nuqs';
import { useCallback } from 'react';
import { LocalNumber } from '@/app/_components/local-number';
import { SearchField } from '@/app/_components/search-field';
import { TextFilter } from '@/app/_components/text-filter';
import { postSearchParams } from '../search-params';
import { statusChoices } from './post-words';
import { useBlogOverview } from './use-blog-overview';

const none: string[] = [];

/** Search, status and tag of the list; all of it lives in the address. */
export function PostFilters() {
  const [search, setSearch] = useQueryStates(postSearchParams);
  const overview = useBlogOverview();
  // Typing replaces the address, so that "back" does not step through every letter; choosing a filter is a step of its own.
  const setQuery = useCallback((q: string) => void setSearch({ q: q || null, page: null }), [setSearch]);
  const activeFilters = [search.q, search.status, search.tag].filter(Boolean).length;
  return (
    <>
      <SearchField label="Search posts" hint="Searches titles" value={search.q} onSearch={setQuery} />
      <fieldset className="flex max-w-full overflow-x-auto rounded-md bg-default p-0.5 [scrollbar-width:none]">
        <legend className="sr-only">Status</legend>
        {statusChoices(overview?.counts).map(({ value, label, count }) => (
          <label
            key={label}
            className="relative flex h-8 shrink-0 cursor-pointer items-center gap-1 rounded-sm px-2.5 text-label text-muted has-checked:bg-segment has-checked:font-medium has-checked:text-foreground has-focus-visible:outline-2 has-focus-visible:-outline-offset-1 has-focus-visible:outline-focus max-sm:h-9 max-sm:px-2"
          >
            <input
              type="radio"
              name="status"
              value={value ?? ''}
              checked={search.status === value}
              onChange={() => void setSearch({ status: value, page: null }, { history: 'push' })}
              className="sr-only"
            />
            {label}{' '}
            {count !== null && (
              <span className="text-xs font-normal">
                <LocalNumber value={count} />
              </span>
            )}
          </label>
        ))}
      </fieldset>
      <TextFilter
        label="Tag"
        prompt="Posts with exactly this tag"
        value={search.tag}
        suggestions={overview?.tags ?? none}
        onChange={(tag) => void setSearch({ tag, page: null }, { history: 'push' })}
      />
      {activeFilters > 1 && (
        <Button variant="ghost" onPress={() => void setSearch(null, { history: 'push' })}>
          Clear all
        </Button>
      )}
    </>
  );
}
