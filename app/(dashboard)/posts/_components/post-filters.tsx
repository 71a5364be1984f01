'use client';

import { useQueryStates } from 'nuqs';
import { useCallback } from 'react';
import { Button } from '@/app/_kit/button';
import { LocalNumber } from '@/app/_kit/local-number';
import { SearchField } from '@/app/_kit/search-field';
import { Segments } from '@/app/_kit/segments';
import { TextFilter } from '@/app/_kit/text-filter';
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
      <Segments
        label="Status"
        segments={statusChoices(overview?.counts).map(({ count, ...choice }) => ({
          ...choice,
          count: count === null ? null : <LocalNumber value={count} />,
        }))}
        value={search.status}
        onChange={(status) => void setSearch({ status, page: null }, { history: 'push' })}
      />
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
