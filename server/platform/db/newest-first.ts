/** Lists sorted by a UUIDv7, newest first. A statement reads one row more than a page has, with smaller ids than `before`. */

/** `before` of the first page: larger than any id. */
export const beyondNewest = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The rows of a page, and `before` of the next one; null on the last page. */
export function pageOf<Row extends { id: string }>(found: readonly Row[], size: number): { page: Row[]; next: string | null } {
  const page = found.slice(0, size);
  return { page, next: found.length > size ? (page.at(-1)?.id ?? null) : null };
}
