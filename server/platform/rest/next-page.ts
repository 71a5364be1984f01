import type { RestRoute } from './route-table';

/** The `nextCursor` of a response: at the top or one level down. */
function nextCursorIn(output: unknown): unknown {
  if (typeof output !== 'object' || output === null) return undefined;
  if ('nextCursor' in output) return output.nextCursor;
  return Object.values(output).find(hasNextCursor)?.nextCursor;
}

function hasNextCursor(value: unknown): value is { nextCursor: unknown } {
  return typeof value === 'object' && value !== null && 'nextCursor' in value;
}

/**
 * The `Link` header (RFC 8288) to the next page of a list with cursors.
 * @param target requested path and query
 * @returns undefined on the last page, and for other responses
 */
export function nextPageLink(route: RestRoute, pathname: string, query: URLSearchParams, output: unknown): string | undefined {
  if (route.method !== 'GET' || !route.query.has('cursor')) return undefined;
  const cursor = nextCursorIn(output);
  if (typeof cursor !== 'string') return undefined;
  const next = new URLSearchParams(query);
  next.delete('offset');
  next.set('cursor', cursor);
  return `<${pathname}?${next}>; rel="next"`;
}
