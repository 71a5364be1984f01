import type { TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { errorFacts } from '@/app/_kit/error-facts';
import { leaveSignedOut } from '@/app/_kit/unsaved-changes';
import type { AppRouter } from '@/server/registry';

const listeners = new Set<(error: unknown) => void>();

/** Calls `listener` with the error of every failed call of the page. @returns a function that unsubscribes */
export function onFailedCall(listener: (error: unknown) => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/**
 * If the session has ended (another tab signed out, the password changed), opens the sign-in page, which leads back to this
 * one. If the membership has ended, reloads the start page: nothing of the business may stay in memory.
 */
function leaveWhenSignedOut(error: unknown): void {
  const { code } = errorFacts(error);
  if (code === 'identity_not_found') leaveSignedOut('/');
  if (code !== 'signed_out') return;
  const here = `${window.location.pathname}${window.location.search}`;
  leaveSignedOut(`/sign-in?callbackUrl=${encodeURIComponent(here)}`);
}

/** Reports failed calls to `onFailedCall`, and leaves when signed out. A call that is answered late does not: it ends with a sign-out here. */
export const reportingLink: TRPCLink<AppRouter> =
  () =>
  ({ next, op }) =>
    observable((observer) =>
      next(op).subscribe({
        next: (value) => observer.next(value),
        complete: () => observer.complete(),
        error: (error) => {
          if (op.context.isAlone !== true) leaveWhenSignedOut(error);
          for (const listener of listeners) listener(error);
          observer.error(error);
        },
      }),
    );
