import type { AnyTRPCRouter } from '@trpc/server';
import type { readSession } from '../auth/session';
import { oncePerProcess, setForProcess } from '../process-globals';
import type { TrpcCaller, TrpcContext } from './trpc';

/** What pages need from the server while rendering. */
export interface PageServer<Router extends AnyTRPCRouter = AnyTRPCRouter> {
  router: Router;
  readSession: typeof readSession;
  contextFor(caller: TrpcCaller): TrpcContext;
}

/** Call it before Next.js renders the first page. */
export function servePages(server: PageServer): void {
  setForProcess('page-server', server);
}

/**
 * The server's objects for pages. Pages are in a separate bundle, which would otherwise contain a second copy of every feature
 * and its memory.
 */
export function pageServer<Router extends AnyTRPCRouter>(): PageServer<Router> {
  return oncePerProcess('page-server', (): PageServer<Router> => {
    throw new Error('Pages are rendered by server/main.ts only.');
  });
}
