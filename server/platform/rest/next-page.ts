import type { RestRoute } from './route-table';

interface Page {
  hasMore: boolean;
  size: number;
}

/** The page in an answer: the object that says `hasMore`, or whose part does, and the list in it. */
function pageIn(output: unknown): Page | undefined {
  if (typeof output !== 'object' || output === null) return undefined;
  const values = Object.values(output);
  const hasMore = 'hasMore' in output ? output.hasMore : values.find(saysMore)?.hasMore;
  const list = values.find(Array.isArray);
  if (typeof hasMore === 'boolean' && list) return { hasMore, size: list.length };
  return 'data' in output ? pageIn(output.data) : undefined;
}

function saysMore(value: unknown): value is { hasMore: unknown } {
  return typeof value === 'object' && value !== null && 'hasMore' in value;
}

/**
 * The `Link` header (RFC 8288) to the page behind this one of a list by limit and offset.
 *
 * @param target path and query as they were asked for
 * @returns undefined on the last page, and for what is no such list
 */
export function nextPageLink(route: RestRoute, pathname: string, query: URLSearchParams, output: unknown): string | undefined {
  if (route.method !== 'GET' || !route.query.has('offset')) return undefined;
  const page = pageIn(output);
  if (!page?.hasMore || page.size === 0) return undefined;
  const next = new URLSearchParams(query);
  next.set('offset', String(Number(query.get('offset') ?? 0) + page.size));
  return `<${pathname}?${next}>; rel="next"`;
}
