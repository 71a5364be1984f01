import { type ReactNode, Suspense } from 'react';
import { toAppError } from '@/server/platform/errors';
import { HydrateClient } from './server';

/** The props of a page that reads its address's query. */
export interface SearchPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

interface PrefetchedProps {
  /** Prefetches the queries of `children`. */
  load: () => Promise<unknown>;
  /** Shown until `load` has finished. */
  fallback?: ReactNode;
  children: ReactNode;
}

/** Streams a part of a page after its data is loaded; the browser gets the data with it. */
export function Prefetched({ fallback, ...props }: PrefetchedProps) {
  return (
    <Suspense fallback={fallback}>
      <Loaded {...props} />
    </Suspense>
  );
}

async function Loaded({ load, children }: Omit<PrefetchedProps, 'fallback'>) {
  await load();
  return <HydrateClient>{children}</HydrateClient>;
}

/** The record of a page: null if it does not exist, undefined if loading failed, which the page reports with a way to retry. */
export async function recordOrNull<Data>(loading: Promise<Data>): Promise<Data | null | undefined> {
  try {
    return await loading;
  } catch (error) {
    const { code } = toAppError(error);
    // A malformed id is treated as unknown.
    return code === 'not_found' || code === 'invalid_request' ? null : undefined;
  }
}
