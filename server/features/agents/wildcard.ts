import { escapeLike } from '@/server/platform/db/sql';

/**
 * A search with wildcards as a LIKE pattern: `*` is any run of characters, `?` is one, everything else stands for itself. With a
 * wildcard the whole text has to match; without one, `unanchored` decides whether a part of it is enough.
 * Source: contract section 5.
 */
export function wildcardPattern(search: string, { unanchored }: { unanchored: boolean }): string {
  const hasWildcard = /[*?]/.test(search);
  const pattern = escapeLike(search).replaceAll('*', '%').replaceAll('?', '_');
  return hasWildcard || !unanchored ? pattern : `%${pattern}%`;
}
