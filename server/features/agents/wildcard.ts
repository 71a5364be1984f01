import { escapeLike } from '@/server/platform/db/sql';

/**
 * Converts a search with wildcards to a LIKE pattern: `*` is any sequence of characters, `?` is one, all others are literal.
 * With a wildcard the whole text has to match; without one, `unanchored` decides whether a part is enough.
 * Source: contract section 5.
 */
export function wildcardPattern(search: string, { unanchored }: { unanchored: boolean }): string {
  const hasWildcard = /[*?]/.test(search);
  const pattern = escapeLike(search).replaceAll('*', '%').replaceAll('?', '_');
  return hasWildcard || !unanchored ? pattern : `%${pattern}%`;
}
