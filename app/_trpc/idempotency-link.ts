'use client';

import type { TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { type ErrorFacts, errorFacts } from '@/app/_kit/error-facts';
import type { AppRouter } from '@/server/registry';

/** After these no one knows whether the change was made, or it may still be. */
const leftOpen: readonly ErrorFacts['code'][] = ['unreachable', 'unavailable', 'internal_error', 'idempotency_running'];

/** Sixteen random bytes; `randomUUID` exists only on pages that came by https. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Gives each change an Idempotency-Key, and the same one again when the same change is sent again because no answer came: a person who
 * presses the button a second time makes nothing twice (docs/adr/0012).
 */
export function idempotencyLink(): TRPCLink<AppRouter> {
  return () => {
    const unanswered = new Map<string, string>();
    return ({ next, op }) => {
      if (op.type !== 'mutation') return next(op);
      const content = JSON.stringify([op.path, op.input, op.context.ifMatch]);
      const idempotencyKey = unanswered.get(content) ?? newKey();
      return observable((observer) =>
        next({ ...op, context: { ...op.context, idempotencyKey } }).subscribe({
          next: (value) => {
            unanswered.delete(content);
            observer.next(value);
          },
          complete: () => observer.complete(),
          error: (error) => {
            if (leftOpen.includes(errorFacts(error).code)) unanswered.set(content, idempotencyKey);
            else unanswered.delete(content);
            observer.error(error);
          },
        }),
      );
    };
  };
}

/** What the link said, as the header of its request. */
export function idempotencyHeaders({ idempotencyKey }: { idempotencyKey?: unknown }): Record<string, string> {
  return typeof idempotencyKey === 'string' ? { 'idempotency-key': idempotencyKey } : {};
}
