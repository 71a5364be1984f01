import type { AnyTRPCRouter } from '@trpc/server';
import type { readSession } from '../auth/session';
import { oncePerProcess, setForProcess } from '../process-globals';

/** What pages use of the server while they render. */
export interface PageServer<Router extends AnyTRPCRouter = AnyTRPCRouter> {
  router: Router;
  readSession: typeof readSession;
}

/** Called before Next.js is asked for a page. */
export function servePages(server: PageServer): void {
  setForProcess('page-server', server);
}

/**
 * The server, for pages. They are in a bundle of their own, which would else hold a second copy of every feature, and of what that needs
 * of memory.
 */
export function pageServer<Router extends AnyTRPCRouter>(): PageServer<Router> {
  return oncePerProcess('page-server', (): PageServer<Router> => {
    throw new Error('Pages are rendered by server/main.ts only.');
  });
}
