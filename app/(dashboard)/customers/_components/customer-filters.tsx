'use client';

import { useQueryStates } from 'nuqs';
import { useCallback } from 'react';
import { Button } from '@/app/_kit/button';
import { SearchField } from '@/app/_kit/search-field';
import { TextFilter } from '@/app/_kit/text-filter';
import { customerSearchParams } from '../search-params';
import { useKnownTags } from './use-known-tags';

/** Search and filters of the customer list; all of it lives in the address. */
export function CustomerFilters() {
  const [search, setSearch] = useQueryStates(customerSearchParams);
  const tags = useKnownTags();
  // Typing replaces the address, so that "back" does not step through every letter; choosing a filter is a step of its own.
  const setQuery = useCallback((q: string) => void setSearch({ q: q || null, page: null }), [setSearch]);
  const setFilter = (filter: { tag: string } | { email: string }) =>
    void setSearch({ ...filter, page: null }, { history: 'push' });
  const activeFilters = [search.q, search.tag, search.email].filter(Boolean).length;
  return (
    <>
      <SearchField label="Search customers" hint="Searches company, notes and contacts" value={search.q} onSearch={setQuery} />
      <TextFilter
        label="Tag"
        prompt="Customers with exactly this tag"
        value={search.tag}
        suggestions={tags}
        onChange={(tag) => setFilter({ tag })}
      />
      <TextFilter
        label="Email"
        prompt="The customer with this address"
        type="email"
        placeholder="name@company.example"
        value={search.email}
        onChange={(email) => setFilter({ email })}
      />
      {activeFilters > 1 && (
        <Button variant="ghost" onPress={() => void setSearch(null, { history: 'push' })}>
          Clear all
        </Button>
      )}
    </>
  );
}
