import type { TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { type ErrorFacts, errorFacts } from '@/app/_kit/error-facts';
import type { AppRouter } from '@/server/registry';

/** Errors after which the change may have been made, or may still be. */
const uncertainCodes: readonly ErrorFacts['code'][] = ['unreachable', 'unavailable', 'internal_error', 'idempotency_running'];

/** Sixteen random bytes; `randomUUID` exists only on https pages. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Gives each change an Idempotency-Key, and the same one when the same change is repeated without a response: pressing the
 * button again does not create anything twice (docs/adr/0012).
 */
export function idempotencyLink(): TRPCLink<AppRouter> {
  return () => {
    const unanswered = new Map<string, string>();
    return ({ next, op }) => {
      if (op.type !== 'mutation') return next(op);
      const { size, lastModified } = (op.context.file ?? {}) as Partial<File>;
      const content = JSON.stringify([op.path, op.input, op.context.ifMatch, size, lastModified]);
      const idempotencyKey = unanswered.get(content) ?? newKey();
      return observable((observer) =>
        next({ ...op, context: { ...op.context, idempotencyKey } }).subscribe({
          next: (value) => {
            unanswered.delete(content);
            observer.next(value);
          },
          complete: () => observer.complete(),
          error: (error) => {
            if (uncertainCodes.includes(errorFacts(error).code)) unanswered.set(content, idempotencyKey);
            else unanswered.delete(content);
            observer.error(error);
          },
        }),
      );
    };
  };
}

/** The request header for the link's key. */
export function idempotencyHeaders({ idempotencyKey }: { idempotencyKey?: unknown }): Record<string, string> {
  return typeof idempotencyKey === 'string' ? { 'idempotency-key': idempotencyKey } : {};
}
