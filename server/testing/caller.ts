import { randomUUID } from 'node:crypto';
import type { Actor } from '@/server/platform/actor';
import { contextFor, type TrpcContext } from '@/server/platform/trpc/trpc';
import { appRouter, operations } from '@/server/registry';

function contextAs(actor: Actor | null, requestId: string = randomUUID()): TrpcContext {
  return contextFor(operations, {
    request: { ids: { requestId }, requestId, clientAddress: '192.0.2.1' },
    response: { headers: new Headers() },
    cookies: null,
    identify: async () => actor,
    identifyAgain: async () => actor,
  });
}

/** Calls an operation by its name, without HTTP. @throws the error as tRPC has it */
export function callAs(actor: Actor | null, name: string, input: unknown, requestId?: string): Promise<unknown> {
  return contextAs(actor, requestId).invoke(name, async () => input);
}

/** The procedures, as pages call them while they are rendered. */
export function callerAs(actor: Actor | null) {
  return appRouter.createCaller(contextAs(actor));
}
