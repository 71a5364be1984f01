import type { TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { AppRouter } from '@/server/registry';

const listeners = new Set<(error: unknown) => void>();

/** Calls `listener` with the error of every failed call of the page. @returns a function that unsubscribes */
export function onFailedCall(listener: (error: unknown) => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Reports failed calls to `onFailedCall`. */
export const reportingLink: TRPCLink<AppRouter> =
  () =>
  ({ next, op }) =>
    observable((observer) =>
      next(op).subscribe({
        next: (value) => observer.next(value),
        complete: () => observer.complete(),
        error: (error) => {
          for (const listener of listeners) listener(error);
          observer.error(error);
        },
      }),
    );
