import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { ListPosition } from '../list-cursor';
import { oncePerProcess } from '../process-globals';
import { pool } from './pool';
import { rows, type Statement } from './sql';

/**
 * Pages of filtered lists, newest first, whose cost depends on the identity's own rows only.
 *
 * PostgreSQL plans a filter by how frequent its value is among the rows of all identities. A word that is common elsewhere and
 * absent here then makes it read all rows of this identity, newest first, to find none. So we decide, by a sample of the
 * identity's newest rows: what many of them match is found by reading on from the newest; anything else through the filter's
 * index, whichever costs less. Either statement leaves the planner no choice (docs/adr/0020). A short list is read without a
 * sample.
 */

/** The matches of a filter are counted up to this number, because an exact count of many matches is slow. */
export const countingLimit = 1_000;

/** Newest rows that the sample has. */
const sampleRows = 250;

/** Cost of a match in an index, and of reading its row, when reading the next row in order costs 1. */
const [indexCost, rowCost] = [0.2, 2];

/** Rows that reading on from the newest looks at. */
const walkedRows = 40_000;

/** Lists of at most this many rows are read without a sample: from here on, sample and index cost less. */
const shortRows = 1_000;

/** Lists that were short in the last ten seconds; in that time none outgrows `walkedRows`. */
function shortLists(): LRUCache<string, true> {
  return oncePerProcess('short-lists', () => new LRUCache<string, true>({ max: 10_000, ttl: 10_000 }));
}

/** A filtered list in SQL. The identity's id is `$1`, and the filter's values follow. */
export interface FilteredList {
  /** The table and its alias. */
  table: string;
  alias: string;
  /** Column of the order, descending, before the id. */
  time: string;
  /** The result's columns. */
  columns: string;
  /** Conditions that an index on the order supports: the identity, and for example a folder. */
  scope: string;
  /** The filter. */
  filter: string;
  /**
   * The filter's alternatives if each uses an index of its own; `filter` is then their disjunction. Null if no index supports
   * the filter.
   */
  byIndex: readonly string[] | null;
  /** Number of rows of the identity, or more, as an expression. */
  size: string;
  values: readonly unknown[];
}

/** The page that is wanted: by an offset, or behind a position. */
export interface PageInput {
  limit: number;
  offset: number;
  position?: ListPosition | undefined;
}

/** Rows of a page, and how many rows match, counted up to the greater of `countingLimit` and the page's end, and one. */
export interface Found<Row> {
  page: Row[];
  matches: number;
  hasMore: boolean;
}

type Counted<Row> = Omit<Found<Row>, 'hasMore'>;
type Page = Omit<PageInput, 'position'>;

interface Sample {
  matches: number;
  sampled: number;
  size: number;
}

/** @returns undefined if the list is too long to be read without an index */
export async function listFiltered<Row extends pg.QueryResultRow>(
  list: FilteredList,
  { limit, offset, position }: PageInput,
): Promise<Found<Row> | undefined> {
  if (!position) {
    const found = await find<Row>(list, { limit, offset }, Math.max(offset + limit, countingLimit) + 1);
    return found && { ...found, hasMore: offset + found.page.length < found.matches };
  }
  // What matches in all is known from the first page.
  const found = await find<Row>(behind(list, position), { limit, offset: 0 }, limit + 1);
  return found && { page: found.page, matches: position.matches, hasMore: found.page.length < found.matches };
}

/** The part of a list behind a position. */
function behind(list: FilteredList, { after }: ListPosition): FilteredList {
  const { alias, time, scope, values } = list;
  const beyond = `(${alias}.${time}, ${alias}.id) < ($${values.length + 1}::timestamptz, $${values.length + 2}::uuid)`;
  return { ...list, scope: `${scope} AND ${beyond}`, values: [...values, ...after] };
}

/** A list without a filter that has a maintained count. */
export interface WholeList {
  alias: string;
  time: string;
  /** `SELECT … FROM … WHERE …`; `$1` is the identity's id. */
  select: string;
  values: readonly unknown[];
}

/** A page of a whole list: one range of an index. Reads one row more, to know whether it is the last. */
export async function listWhole<Row extends pg.QueryResultRow>(
  { alias, time, select, values }: WholeList,
  { limit, offset, position }: PageInput,
): Promise<{ page: Row[]; hasMore: boolean }> {
  const after = position?.after ?? [];
  const parameter = (n: number) => `$${values.length + after.length + n}::bigint`;
  const beyond = position
    ? ` AND (${alias}.${time}, ${alias}.id) < ($${values.length + 1}::timestamptz, $${values.length + 2}::uuid)`
    : '';
  const text = `${select}${beyond} ORDER BY ${alias}.${time} DESC, ${alias}.id DESC LIMIT ${parameter(1)} OFFSET ${parameter(2)}`;
  const found = await run<Row>(text, [...values, ...after, limit + 1, offset]);
  return { page: found.slice(0, limit), hasMore: found.length > limit };
}

async function find<Row extends pg.QueryResultRow>(
  list: FilteredList,
  page: Page,
  most: number,
): Promise<Counted<Row> | undefined> {
  const key = sizeKey(list);
  if (shortLists().has(key)) return walk<Row>(list, page, most);
  const sample = await takeSample(list);
  if (sample.size <= shortRows) shortLists().set(key, true);
  const isWhole = sample.sampled < sampleRows;
  const share = (sample.matches + 1) / (sample.sampled + 1);
  const end = page.offset + page.limit;
  const worthWalking = Math.min(walkedRows, costOfLookUp(share * sample.size, share, most, end));
  if (isWhole || !list.byIndex || most / share <= worthWalking) {
    const found = await walk<Row>(list, page, most);
    if (found.matches === most || isWhole || sample.size <= walkedRows) return found;
    if (!list.byIndex) return undefined;
  }
  const found = await lookUp<Row>(list, page, most);
  if (found.matches < most) return found;
  // More matches than were looked at, in no order: only the page is missing.
  if (end / share < Math.min(walkedRows, share * sample.size)) {
    const walked = await walk<Row>(list, page, end);
    if (walked.matches === end) return { ...walked, matches: most };
  }
  return { ...(await lookUp<Row>(list, page, null)), matches: most };
}

/** What it costs to find `most` of so many matches by their index, and then, if there are more, the page among the newest rows. */
function costOfLookUp(matches: number, share: number, most: number, end: number): number {
  return matches * indexCost + Math.min(matches, most) * rowCost + (matches < most ? 0 : end / share);
}

/** Identifies the number of rows: its expression, and the values in it. */
function sizeKey({ size, values }: FilteredList): string {
  return JSON.stringify([size, (size.match(/\$\d+/g) ?? []).map((parameter) => values[Number(parameter.slice(1)) - 1])]);
}

function run<Row extends pg.QueryResultRow>(
  text: string,
  values: readonly unknown[],
  options: Pick<Statement, 'withoutRowSecurity'> = {},
): Promise<Row[]> {
  // Named, since the plan does not depend on the values. The text is made of a few parts, so there are not many.
  const name = `list-${createHash('sha1').update(text).digest('base64url').slice(0, 16)}`;
  return rows<Row>(pool(), { ...options, name, isoTimes: true, text, values: [...values] });
}

async function takeSample({ table, alias, time, scope, filter, size, values }: FilteredList): Promise<Sample> {
  const text = `SELECT count(*) FILTER (WHERE ${filter})::float8 AS matches, count(*)::float8 AS sampled, (${size})::float8 AS size
    FROM (SELECT * FROM ${table} ${alias} WHERE ${scope} ORDER BY ${alias}.${time} DESC, ${alias}.id DESC LIMIT ${sampleRows}) ${alias}`;
  const [sample] = await run<Sample & pg.QueryResultRow>(text, values);
  if (!sample) throw new Error('an aggregate without a row');
  return sample;
}

/** The newest `most` matches among the newest rows, by reading these in order. */
function walk<Row extends pg.QueryResultRow>(list: FilteredList, page: Page, most: number): Promise<Counted<Row>> {
  const { table, alias, time, columns, scope, filter, values } = list;
  const newest = `ORDER BY ${alias}.${time} DESC, ${alias}.id DESC`;
  const [limit, offset, maximum] = [1, 2, 3].map((n) => `$${values.length + n}::bigint`);
  const text = `SELECT ${columns}, ${alias}.matches FROM (
      SELECT ${alias}.*, (count(*) OVER ())::float8 AS matches FROM (
        SELECT * FROM (SELECT * FROM ${table} ${alias} WHERE ${scope} ${newest} LIMIT ${walkedRows}) ${alias}
        WHERE ${filter} ${newest} LIMIT ${maximum}
      ) ${alias}
    ) ${alias} ${newest} LIMIT ${limit} OFFSET ${offset}`;
  return withMatches(page, ({ limit: most_, offset: skipped }) => run(text, [...values, most_, skipped, most]));
}

/** Matches found by the filter's indexes: at most `most` in no order, or all of them; the page has the newest of these. */
function lookUp<Row extends pg.QueryResultRow>(list: FilteredList, page: Page, most: number | null): Promise<Counted<Row>> {
  const { table, alias, time, columns, scope, byIndex, values } = list;
  const [limit, offset, maximum] = [1, 2, 3].map((n) => `$${values.length + n}::bigint`);
  // Materialised, so that the planner ignores the limit and uses the filter's index.
  const found = (byIndex ?? []).map(
    (filter, n) =>
      `found_${n} AS MATERIALIZED (SELECT ${alias}.id, ${alias}.${time} FROM ${table} ${alias} WHERE ${scope} AND ${filter})`,
  );
  const all = found.map((_, n) => `(SELECT * FROM found_${n} LIMIT ${maximum})`).join(' UNION ');
  const newest = `ORDER BY ${alias}.${time} DESC, ${alias}.id DESC`;
  const text = `WITH ${found.join(', ')}
    SELECT ${columns}, page.matches FROM (
      SELECT ${alias}.id, (count(*) OVER ())::float8 AS matches FROM (${all}) ${alias} ${newest} LIMIT ${limit} OFFSET ${offset}
    ) page JOIN ${table} ${alias} ON ${alias}.identity_id = $1 AND ${alias}.id = page.id ${newest}`;
  return withMatches(page, (wanted) => run(text, [...values, wanted.limit, wanted.offset, most], { withoutRowSecurity: true }));
}

/** Reads a page; beyond the last match, where no row carries their number, it is asked for. */
async function withMatches<Row>(page: Page, read: (page: Page) => Promise<(Row & { matches: number })[]>): Promise<Counted<Row>> {
  const found = await read(page);
  const [first] = found.length === 0 && page.offset > 0 ? await read({ limit: 1, offset: 0 }) : found;
  return { page: found, matches: first?.matches ?? 0 };
}

/**
 * True if a trigram index supports a search for a part of a text: three letters or digits in a row, or fewer at the edge of a
 * word within it. As pg_trgm takes trigrams of a pattern, with a word's two blanks before and one behind it.
 */
export function hasTrigram(part: string): boolean {
  return /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u.test(part);
}
