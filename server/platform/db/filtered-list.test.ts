import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { queryAsOwner, withFreshDatabase } from '@/server/testing/database';
import type { ListPosition } from '../list-cursor';
import { countingLimit, type FilteredList, hasTrigram, listFiltered, listRanked } from './filtered-list';
import { pool } from './pool';
import { serverRole } from './tenant';

withFreshDatabase();

const [long, short] = [randomUUID(), randomUUID()];

/** Newest first, so that rows 1 to 250 are the sample; more than are read without an index. */
const lengths = { [long]: 45_000, [short]: 200 };

/** Which rows have a word. */
const words: Record<string, (n: number) => boolean> = {
  all: () => true,
  third: (n) => n % 3 === 0,
  thirtieth: (n) => n % 30 === 0,
  new: (n) => n <= 100,
  old: (n) => n > 43_000,
  oldest: (n) => n > 44_995,
  none: () => false,
};

beforeAll(async () => {
  await queryAsOwner(`CREATE TABLE notes (identity_id uuid, id uuid, at timestamptz, n int, words text[], PRIMARY KEY (identity_id, id));
    CREATE INDEX ON notes (identity_id, at, id);
    CREATE INDEX ON notes USING gin (identity_id, words);
    GRANT SELECT, INSERT ON notes TO ${serverRole}`);
  for (const [identityId, length] of Object.entries(lengths)) {
    const rows = Array.from({ length }, (_, i) =>
      Object.keys(words)
        .filter((word) => words[word]?.(i + 1))
        .join(' '),
    );
    await pool().query(
      `INSERT INTO notes SELECT $1, gen_random_uuid(), '2026-01-01'::timestamptz - n * interval '1 s', n, string_to_array(words, ' ')
        FROM unnest($2::text[]) WITH ORDINALITY AS x(words, n)`,
      [identityId, rows],
    );
  }
  await queryAsOwner('ANALYZE notes');
});

function listOf(identityId: string, wanted: string[], changes: Partial<FilteredList> = {}): FilteredList {
  const conditions = wanted.map((_, i) => `x.words @> ARRAY[$${i + 2}::text]`);
  return {
    table: 'notes',
    alias: 'x',
    time: 'at',
    columns: 'x.n',
    scope: 'x.identity_id = $1',
    filter: `(${conditions.join(' OR ')})`,
    isIndexed: true,
    size: `SELECT CASE WHEN $1 = '${short}' THEN ${lengths[short]} ELSE ${lengths[long]} END`,
    values: [identityId, ...wanted],
    ...changes,
  };
}

function expectedOf(identityId: string, wanted: string[], { limit, offset }: { limit: number; offset: number }) {
  const all = Array.from({ length: lengths[identityId] ?? 0 }, (_, i) => i + 1).filter((n) =>
    wanted.some((word) => words[word]?.(n)),
  );
  const most = Math.max(countingLimit, limit + offset) + 1;
  return { page: all.slice(offset, offset + limit), matches: Math.min(all.length, most) };
}

async function found(list: FilteredList, page: { limit: number; offset: number }) {
  const result = await listFiltered<{ n: number }>(list, page);
  return result && { page: result.page.map(({ n }) => n), matches: result.matches };
}

const pages = [
  { limit: 50, offset: 0 },
  { limit: 7, offset: 45 },
  { limit: 50, offset: 1_480 },
  { limit: 3, offset: 60_000 },
];

describe.each(Object.keys(words))('rows with the word %s', (word) => {
  test.each(pages)('are listed newest first, $limit from $offset', async (page) => {
    for (const identityId of [long, short])
      expect(await found(listOf(identityId, [word]), page)).toEqual(expectedOf(identityId, [word], page));
  });

  test('are the same if an index of another table finds them, more than once', async () => {
    const ids = 'SELECT y.id FROM notes y, generate_series(1, 2) WHERE y.identity_id = $1 AND y.words @> ARRAY[$2::text]';
    for (const size of ['SELECT 45000', 'SELECT 1e7']) {
      for (const page of pages) {
        const list = listOf(long, [word], { size, lookUp: { ids, filter: 'true' } });
        expect(await found(list, page)).toEqual(expectedOf(long, [word], page));
      }
    }
  });

  test('are listed once if two conditions hold', async () => {
    for (const page of pages) {
      const wanted = [word, 'oldest', 'third'];
      expect(await found(listOf(long, wanted), page)).toEqual(expectedOf(long, wanted, page));
    }
  });
});

test('an identity that is thought to be longer than it is gets the same', async () => {
  for (const word of Object.keys(words)) {
    for (const page of pages) {
      expect(await found(listOf(long, [word], { size: 'SELECT 1e7' }), page)).toEqual(expectedOf(long, [word], page));
    }
  }
});

describe('ranked', () => {
  const score = 'x.n % 7';

  /** The newest thousand and one by score, then the others. */
  function rankedOf(identityId: string, word: string): number[] {
    const all = Array.from({ length: lengths[identityId] ?? 0 }, (_, i) => i + 1).filter((n) => words[word]?.(n));
    const best = all.slice(0, countingLimit + 1).sort((a, b) => (b % 7) - (a % 7) || a - b);
    return [...best, ...all.slice(countingLimit + 1)];
  }

  test.each(Object.keys(words))('rows with the word %s are listed best first, then newest', async (word) => {
    for (const identityId of [long, short]) {
      // Read in order, and by the index.
      for (const size of [undefined, 'SELECT 1e7']) {
        const list = { ...listOf(identityId, [word], size === undefined ? {} : { size }), columns: 'x.n, x.at, x.id', score };
        const all = rankedOf(identityId, word);
        for (const { limit, offset } of [...pages, { limit: 50, offset: 980 }, { limit: 50, offset: 1_001 }]) {
          const found = await listRanked<{ n: number; at: string; id: string }>(list, { limit, offset });
          const page = all.slice(offset, offset + limit);
          expect(found?.page.map(({ n }) => n)).toEqual(page);
          expect(found?.hasMore).toBe(offset + limit < all.length);
          const last = found?.page.at(-1);
          if (!found || !last) continue;
          const position = {
            after: [last.at, last.id] as [string, string],
            score: last.score,
            before: 0,
            matches: found.matches,
          };
          const next = await listRanked<{ n: number }>(list, { limit, offset: 0, position });
          expect(next?.page.map(({ n }) => n)).toEqual(all.slice(offset + limit, offset + 2 * limit));
          expect(next).toMatchObject({ matches: found.matches, hasMore: offset + 2 * limit < all.length });
        }
      }
    }
  });

  test('of a long list, the newest rows can be enough', async () => {
    const bounded = (word: string) => ({ ...listOf(long, [word], { isIndexed: false, isBounded: true }), score });
    expect(await listRanked(bounded('oldest'), { limit: 5, offset: 0 })).toEqual({ page: [], matches: 0, hasMore: false });
    const found = await listRanked<{ n: number }>(bounded('new'), { limit: 3, offset: 0 });
    expect(found).toMatchObject({ page: [{ n: 6 }, { n: 13 }, { n: 20 }], matches: 100, hasMore: true });
  });

  test('a long list is refused if no index supports what is rare', async () => {
    const list = { ...listOf(long, ['oldest'], { isIndexed: false }), score };
    expect(await listRanked(list, { limit: 5, offset: 0 })).toBeUndefined();
  });
});

describe('without an index', () => {
  const page = { limit: 50, offset: 0 };

  test('a short list is read as a whole', async () => {
    expect(await found(listOf(short, ['third'], { isIndexed: false }), page)).toEqual(expectedOf(short, ['third'], page));
    expect(await found(listOf(short, ['none'], { isIndexed: false }), page)).toEqual({ page: [], matches: 0 });
  });

  test('a long list with a common word is read to its end by cursor', async () => {
    const { rows } = await pool().query<{ at: Date; id: string }>(
      'SELECT at, id FROM notes WHERE identity_id = $1 AND n = 44990',
      [long],
    );
    const [last] = rows;
    const position = { after: [last?.at.toISOString() ?? '', last?.id ?? ''], before: 1, matches: 1_001 } satisfies ListPosition;
    const end = await listFiltered<{ n: number }>(listOf(long, ['third'], { isIndexed: false }), {
      limit: 50,
      offset: 0,
      position,
    });
    expect(end).toMatchObject({ page: [{ n: 44_991 }, { n: 44_994 }, { n: 44_997 }, { n: 45_000 }], hasMore: false });
  });

  test('a long list has what is common, and refuses what is not', async () => {
    expect(await found(listOf(long, ['third'], { isIndexed: false }), page)).toEqual(expectedOf(long, ['third'], page));
    for (const word of ['none', 'oldest', 'new'])
      expect(await found(listOf(long, [word], { isIndexed: false }), page)).toBeUndefined();
  });
});

test.each([
  ['abc', true],
  ['äöü', true],
  ['a1c', true],
  ['ab', false],
  ['a', false],
  ['', false],
  ['--', false],
  // A word's beginning counts as two more characters, its end as one.
  ['-a', true],
  ['a-', false],
  ['ab-', true],
  ['ab cd', true],
])('%j has a trigram: %s', (part, expected) => {
  expect(hasTrigram(part)).toBe(expected);
});
