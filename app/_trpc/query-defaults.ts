import type { DefaultOptions } from '@tanstack/react-query';

/** Shared by browser and server, so that what the server prefetched is not fetched again at once. */
export const queryDefaults = {
  queries: { staleTime: 20_000 },
} satisfies DefaultOptions;
