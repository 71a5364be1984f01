import type { ReactNode } from 'react';
import { ErrorState } from './error-state';
import { SkeletonLines } from './skeleton-lines';

interface QueryResultProps<Data> {
  query: { data: Data | undefined; error: unknown; refetch: () => unknown };
  /** The title of a failure: "Couldn’t load keys". */
  failure: string;
  /** What still works after a failure. */
  reassurance?: string;
  /** The accessible name of the skeleton: "Loading keys". */
  loading: string;
  lines?: number;
  shape?: 'rows' | 'text';
  children: (data: Data) => ReactNode;
}

/** The result of a query, an error with a retry, or a skeleton. Data stays visible if a later refetch fails. */
export function QueryResult<Data>({
  query,
  failure,
  reassurance,
  loading,
  lines = 6,
  shape = 'text',
  children,
}: QueryResultProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (!query.error) return <SkeletonLines shape={shape} lines={lines} label={loading} />;
  return (
    <ErrorState error={query.error} onRetry={() => void query.refetch()} title={failure} {...(reassurance && { reassurance })} />
  );
}
