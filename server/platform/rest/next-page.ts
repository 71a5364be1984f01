import type { RestRoute } from './route-table';

interface Page {
  hasMore: boolean;
  size: number;
}

/** Finds the page in a response: the object with `hasMore`, at the top or one level down, and its list. */
function pageIn(output: unknown): Page | undefined {
  if (typeof output !== 'object' || output === null) return undefined;
  const values = Object.values(output);
  const hasMore = 'hasMore' in output ? output.hasMore : values.find(hasMoreProperty)?.hasMore;
  const list = values.find(Array.isArray);
  if (typeof hasMore === 'boolean' && list) return { hasMore, size: list.length };
  return 'data' in output ? pageIn(output.data) : undefined;
}

function hasMoreProperty(value: unknown): value is { hasMore: unknown } {
  return typeof value === 'object' && value !== null && 'hasMore' in value;
}

/**
 * The `Link` header (RFC 8288) to the next page of a list by limit and offset.
 * @param target requested path and query
 * @returns undefined on the last page, and for other responses
 */
export function nextPageLink(route: RestRoute, pathname: string, query: URLSearchParams, output: unknown): string | undefined {
  if (route.method !== 'GET' || !route.query.has('offset')) return undefined;
  const page = pageIn(output);
  if (!page?.hasMore || page.size === 0) return undefined;
  const next = new URLSearchParams(query);
  next.set('offset', String(Number(query.get('offset') ?? 0) + page.size));
  return `<${pathname}?${next}>; rel="next"`;
}
