import { appErrorOf, type Context } from '../trpc/trpc';
import { requireMatch } from './entity-tag';
import type { RestRoute } from './route-table';

/** Changes on the condition (If-Match) that a resource is still as their author has read it. */

/** Where the resource is read, and as whom. */
export interface Subject {
  target: RestRoute;
  /** What the change names: the parameters of the target are among it. */
  input: Record<string, unknown>;
  context: Context;
}

/**
 * Does `work` with a condition to be asked when the rows of its change are locked and before that is committed: then it sees, on another
 * connection, what others have committed, and that stays so until the commit.
 *
 * @throws AppError precondition_failed where the resource is not what `ifMatch` names
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

/** A GET whose answer is one resource rather than a page of a list. */
export function isSingle(route: RestRoute): boolean {
  return route.method === 'GET' && !route.rest.download && !route.query.has('limit');
}

/**
 * The GET whose tag a change is conditional on: of the same path; else, for what belongs to a resource (a customer's contacts, the
 * publishing of a post), that resource's.
 *
 * @returns undefined where there is none, so that If-Match means nothing
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

/** True where a change answers with the very resource that a GET of its path would, so that its new tag can come with it. */
export function answersResource(route: RestRoute, target: RestRoute | undefined): boolean {
  return target !== undefined && target.path === route.path && target.output === route.output;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
