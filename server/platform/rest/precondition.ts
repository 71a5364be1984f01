import { appErrorOf, type Context } from '../trpc/trpc';
import { requireMatch } from './entity-tag';
import type { RestRoute } from './route-table';

/** Conditional changes (If-Match): the resource must be unchanged since its author has read it. */

/** How to read the resource, and as which actor. */
export interface Subject {
  target: RestRoute;
  /** The input of the change, which includes the target's parameters. */
  input: Record<string, unknown>;
  context: Context;
}

/**
 * Runs `work` with a precondition that is checked after the change's rows are locked and before it is committed. The check
 * reads on another connection and so sees what others have committed, which can't change until the commit.
 * @throws AppError precondition_failed if the resource does not match `ifMatch`
 */
export function whileUnchanged<T>(
  subject: Subject,
  ifMatch: string,
  work: (precondition: () => Promise<void>) => Promise<T>,
): Promise<T> {
  return work(async () => requireMatch(ifMatch, await currentState(subject), subject.target.rest.volatile));
}

async function currentState({ target, input, context }: Subject): Promise<unknown> {
  const named = target.segments.filter(({ parameter }) => parameter).map(({ text }) => [text, input[text]]);
  try {
    return await target.call(context, Object.fromEntries(named));
  } catch (error) {
    if (appErrorOf(error).status === 404) return null;
    throw error;
  }
}

/** True for a GET that returns a single resource, not a list. */
function isSingle(route: RestRoute): boolean {
  return route.method === 'GET' && !route.rest.download && !route.query.has('limit');
}

/**
 * The GET whose tag conditions a change: of the same path; for a part of a resource (a customer's contacts, the publishing of a
 * post), of that resource.
 * @returns undefined if there is none, so that If-Match has no meaning
 */
export function targetOf(route: RestRoute, all: readonly RestRoute[]): RestRoute | undefined {
  if (route.method === 'GET' || route.rest.unconditional) return undefined;
  const single = (path: string) => all.find((other) => other.path === path && isSingle(other));
  const own = route.method === 'POST' ? undefined : single(route.path);
  if (own) return own;
  for (let path = parentOf(route.path); path !== ''; path = parentOf(path)) {
    if (path.endsWith('}')) return single(path);
  }
  return undefined;
}

/** True if a change responds with the same resource as a GET of its path, so that it can include the new tag. */
export function answersResource(route: RestRoute, target: RestRoute | undefined): boolean {
  return target !== undefined && target.path === route.path && target.output === route.output;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
