import { MutationObserver, QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { refreshQueries } from './refresh-queries';

/** A cache with two queries, and changes that end when a test says so. */
function cacheWithQueries() {
  const queryClient = new QueryClient();
  const keys = [[['customers', 'list']], [['blog', 'list']]];
  for (const key of keys) queryClient.setQueryData(key, []);
  const begin = () => {
    let end: () => void = () => undefined;
    const mutationFn = () => new Promise<void>((resolve) => (end = resolve));
    const done = new MutationObserver(queryClient, { mutationFn }).mutate();
    return async () => {
      // It begins in a later microtask.
      await Promise.resolve();
      end();
      await done;
    };
  };
  return { queryClient, begin, stale: () => keys.map((key) => queryClient.getQueryState(key)?.isInvalidated) };
}

const ofCustomers = ([router]: readonly string[]) => router === 'customers';
const ofBlog = ([router]: readonly string[]) => router === 'blog';

test('queries are refetched at once, and only those that are concerned', () => {
  const { queryClient, stale } = cacheWithQueries();
  refreshQueries(queryClient, ofCustomers);
  expect(stale()).toEqual([true, false]);
});

test('queries are refetched after the last change under way, whoever asked for it', async () => {
  const { queryClient, begin, stale } = cacheWithQueries();
  const [endFirst, endSecond] = [begin(), begin()];
  refreshQueries(queryClient, ofCustomers);
  refreshQueries(queryClient, ofBlog);
  await endFirst();
  expect(stale()).toEqual([false, false]);
  await endSecond();
  expect(stale()).toEqual([true, true]);
});
