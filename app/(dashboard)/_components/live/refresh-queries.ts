import type { QueryClient } from '@tanstack/react-query';
import type { IsConcerned } from './event-concerns';

/** What is to be refetched once no change is under way. */
const waiting = new WeakMap<QueryClient, IsConcerned[]>();

function flush(queryClient: QueryClient): void {
  const due = waiting.get(queryClient) ?? [];
  if (due.length === 0 || queryClient.isMutating() > 0) return;
  waiting.set(queryClient, []);
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [path] }) => Array.isArray(path) && due.some((isConcerned) => isConcerned(path)),
  });
}

/** Refetches queries, those that a page shows at once. Waits for changes under way, which the answers would visibly undo. */
export function refreshQueries(queryClient: QueryClient, isConcerned: IsConcerned): void {
  const known = waiting.get(queryClient);
  if (!known) queryClient.getMutationCache().subscribe(() => flush(queryClient));
  waiting.set(queryClient, [...(known ?? []), isConcerned]);
  flush(queryClient);
}
