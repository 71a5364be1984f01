import type { DefaultOptions } from '@tanstack/react-query';

/** Shared by browser and server, so that prefetched data is not refetched immediately. */
export const queryDefaults = {
  queries: { staleTime: 20_000 },
} satisfies DefaultOptions;
