'use client';

import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import { type FoundRecords, searchMaximum, searchMinimum } from '@/server/features/search/search.schema';

const pauseMilliseconds = 150;

function useAfterPause(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMilliseconds);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

export interface RecordSearch {
  /** What was found for what is typed, or for what was typed a moment ago while that is looked for. */
  found: FoundRecords | undefined;
  isSearching: boolean;
  /** True where what was found is not all there is, since the server did not answer, or not in time. */
  isIncomplete: boolean;
}

/** Records for what is typed, asked for when typing has paused. */
export function useRecordSearch(typed: string): RecordSearch {
  const trpc = useTRPC();
  const query = typed.trim().slice(0, searchMaximum);
  const settled = useAfterPause(query);
  const isWorthwhile = query.length >= searchMinimum;
  const search = useQuery(
    trpc.search.records.queryOptions(settled.length >= searchMinimum ? { query: settled } : skipToken, {
      placeholderData: keepPreviousData,
      trpc: { abortOnUnmount: true },
    }),
  );
  return {
    found: isWorthwhile ? search.data : undefined,
    isSearching: isWorthwhile && (query !== settled || search.isFetching),
    isIncomplete: isWorthwhile && (search.isError || (search.data?.late.length ?? 0) > 0),
  };
}
