'use client';

import type { TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { errorFacts } from '@/app/_kit/error-facts';
import type { AppRouter } from '@/server/registry';
import { askForFreshSignIn } from './fresh-sign-in-question';

/**
 * Repeats a call that was refused because it needs a fresh sign-in, once the person has confirmed their identity. For the
 * caller it only takes longer; if the dialog is dismissed, the call fails with the server's refusal.
 */
export const freshSignInLink: TRPCLink<AppRouter> =
  () =>
  ({ next, op }) =>
    observable((observer) => {
      let isOver = false;
      let running = next(op).subscribe({
        next: (value) => observer.next(value),
        complete: () => observer.complete(),
        error: (error) => {
          if (errorFacts(error).code !== 'fresh_sign_in_required') return observer.error(error);
          void askForFreshSignIn().then((isConfirmed) => {
            if (isOver) return;
            if (isConfirmed) running = next(op).subscribe(observer);
            else observer.error(error);
          });
        },
      });
      return () => {
        isOver = true;
        running.unsubscribe();
      };
    });
