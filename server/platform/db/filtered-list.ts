import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { ListPosition } from '../list-cursor';
import { oncePerProcess } from '../process-globals';
import { pool } from './pool';
import { rows, type Statement } from './sql';

/**
 * Pages of filtered lists, newest or oldest first, whose cost depends on the identity's own rows only.
 *
 * PostgreSQL plans a filter by how frequent its value is among the rows of all identities. A word that is common elsewhere and
 * absent here then makes it read all rows of this identity, newest first, to find none. So we decide, by a sample of the
 * identity's newest rows: what many of them match is found by reading on from the newest; anything else through the filter's
 * index, whichever costs less. Either statement leaves the planner no choice (docs/adr/0020). A short list needs no sample: even
 * if all of its rows match, the index finds them in less time than it takes to read them in order.
 */

/** The matches of a filter are counted up to this number, because an exact count of many matches is slow. */
export const countingLimit = 1_000;

/** Newest rows that the sample has. */
const sampleRows = 250;

/** Cost of a match in an index, and of reading its row, when reading the next row in order costs 1. */
const [indexCost, rowCost] = [0.2, 2];

/** Rows that reading on from the newest looks at. */
const walkedRows = 40_000;

/** Lists of at most this many rows are read without a sample. */
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
  /** Column of the order, before the id. Newest first, unless `isOldestFirst`. */
  time: string;
  isOldestFirst?: boolean;
  /** The result's columns. */
  columns: string;
  /** Conditions that an index on the order supports: the identity, and for example a folder. */
  scope: string;
  /** The filter. */
  filter: string;
  /** How matches are found by an index of another table: a `SELECT` of their ids, and the rest of the filter. */
  lookUp?: { ids: string; filter: string } | undefined;
  /** True if an index supports the filter. */
  isIndexed: boolean;
  /** True if matches among the newest 40,000 rows are enough where no index supports the filter. */
  isBounded?: boolean;
  /** Number of rows of the identity, or more, as an expression. */
  size: string;
  values: readonly unknown[];
  /** False for a statement that is hardly ever repeated: its plan is not kept. */
  isRepeated?: boolean;
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

/** A list whose newest matches are in the order of how well they match. */
export interface RankedList extends FilteredList {
  /** The higher, the better: an expression of the list's row. */
  score: string;
}

/** Behind a match: one that is ranked, or one of those that follow and have no score. */
export interface RankedPosition extends ListPosition {
  score: number | null;
}

/** A match, with what it is ordered by. */
export type RankedRow<Row> = Row & { score: number | null };

/** Of so many matches, the newest ones are ranked. */
const ranked = countingLimit + 1;

/**
 * A page of matches, the best first, then the newest. Of more than a thousand the newest are ranked, and the others follow newest
 * first: so the cost has a bound, and paging still reaches the last one.
 * @returns undefined if the list is too long to be read without an index
 */
export async function listRanked<Row extends pg.QueryResultRow>(
  { score, ...list }: RankedList,
  { limit, offset, position }: Omit<PageInput, 'position'> & { position?: RankedPosition | undefined },
): Promise<Found<RankedRow<Row>> | undefined> {
  const withoutScore = (row: Row): RankedRow<Row> => ({ ...row, score: null });
  if (position?.score === null) {
    const rest = await listFiltered<Row>(list, { limit, offset, position });
    return rest && { ...rest, page: rest.page.map(withoutScore) };
  }
  const after = position && ([position.score, ...position.after] as const);
  // One more than the page has, to know whether it is the last.
  const found = await find<RankedRow<Row>>({ ...list, ranking: { score, after } }, { limit: limit + 1, offset }, ranked);
  if (!found) return undefined;
  const matches = position?.matches ?? found.matches;
  const page = found.page.slice(0, limit);
  if (found.page.length > limit || matches < ranked) return { page, matches, hasMore: found.page.length > limit };
  const rest = await listFiltered<Row>(list, { limit: limit - page.length, offset: Math.max(ranked, offset) });
  if (!rest) return undefined;
  return { page: [...page, ...rest.page.map(withoutScore)], matches, hasMore: rest.hasMore };
}

/** The part of a list behind a position. */
function behind(list: FilteredList, { after }: ListPosition): FilteredList {
  const { alias, time, scope, values, isOldestFirst } = list;
  const beyond = `(${alias}.${time}, ${alias}.id) ${isOldestFirst ? '>' : '<'} ($${values.length + 1}::timestamptz, $${values.length + 2}::uuid)`;
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

/** The order of a page of the newest matches, if it is another one. */
interface Ranking {
  score: string;
  after: readonly [score: number, time: string, id: string] | undefined;
}

interface FoundList extends FilteredList {
  ranking?: Ranking;
}

async function find<Row extends pg.QueryResultRow>(list: FoundList, page: Page, most: number): Promise<Counted<Row> | undefined> {
  const key = sizeKey(list);
  if (shortLists().has(key)) return list.isIndexed ? lookUpAll<Row>(list, page, most) : walk<Row>(list, page, most);
  const sample = await takeSample(list);
  if (sample.size <= shortRows) shortLists().set(key, true);
  const isWhole = sample.sampled < sampleRows;
  const share = (sample.matches + 1) / (sample.sampled + 1);
  // What is put in order has to be complete.
  const end = list.ranking ? most : page.offset + page.limit;
  const worthWalking = Math.min(walkedRows, costOfLookUp(share * sample.size, share, most, end));
  if (isWhole || !list.isIndexed || most / share <= worthWalking) {
    const found = await walk<Row>(list, page, most);
    if (found.matches === most || isWhole || sample.size <= walkedRows) return found;
    if (!list.isIndexed) return list.isBounded ? found : undefined;
  }
  const found = await lookUp<Row>(list, page, most);
  if (found.matches < most) return found;
  // More matches than were looked at, in no order: only the page is missing.
  if (end / share < Math.min(walkedRows, share * sample.size)) {
    const walked = await walk<Row>(list, page, end);
    if (walked.matches === end) return { ...walked, matches: most };
  }
  return lookUpAll<Row>(list, page, most);
}

/** The page among all matches, of which at most `most` are counted. */
async function lookUpAll<Row extends pg.QueryResultRow>(list: FoundList, page: Page, most: number): Promise<Counted<Row>> {
  const found = await lookUp<Row>(list, page, null);
  return { ...found, matches: Math.min(found.matches, most) };
}

/** What it costs to find `most` of so many matches by their index, and then, if there are more, the page among the newest rows. */
function costOfLookUp(matches: number, share: number, most: number, end: number): number {
  return matches * indexCost + Math.min(matches, most) * rowCost + (matches < most ? 0 : end / share);
}

/** Identifies the number of rows: its expression, and the values in it. */
function sizeKey({ size, values }: FilteredList): string {
  return JSON.stringify([size, (size.match(/\$\d+/g) ?? []).map((parameter) => values[Number(parameter.slice(1)) - 1])]);
}

interface RunOptions extends Pick<Statement, 'withoutRowSecurity'> {
  isRepeated?: boolean | undefined;
}

function run<Row extends pg.QueryResultRow>(
  text: string,
  values: readonly unknown[],
  { isRepeated = true, ...options }: RunOptions = {},
): Promise<Row[]> {
  const statement = { ...options, isoTimes: true as const, text, values: [...values] };
  if (!isRepeated) return rows<Row>(pool(), statement);
  // Named, since the plan does not depend on the values. The text is made of a few parts, so there are not many.
  const name = `list-${createHash('sha1').update(text).digest('base64url').slice(0, 16)}`;
  return rows<Row>(pool(), { ...statement, name });
}

async function takeSample(list: FilteredList): Promise<Sample> {
  const { table, alias, scope, filter, size, values, isRepeated } = list;
  const text = `SELECT count(*) FILTER (WHERE ${filter})::float8 AS matches, count(*)::float8 AS sampled, (${size})::float8 AS size
    FROM (SELECT * FROM ${table} ${alias} WHERE ${scope} ${inOrder(list)} LIMIT ${sampleRows}) ${alias}`;
  const [sample] = await run<Sample & pg.QueryResultRow>(text, values, { isRepeated });
  if (!sample) throw new Error('an aggregate without a row');
  return sample;
}

function inOrder({ alias, time, isOldestFirst }: FilteredList): string {
  const direction = isOldestFirst ? 'ASC' : 'DESC';
  return `ORDER BY ${alias}.${time} ${direction}, ${alias}.id ${direction}`;
}

/** Names of a statement's parameters behind the values of the list: the page's limit and offset, and how many matches are looked for. */
function pageParameters({ values }: FoundList) {
  const [limit, offset, most] = [1, 2, 3].map((n) => `$${values.length + n}::bigint`);
  return { page: `LIMIT ${limit} OFFSET ${offset}`, most };
}

/** The newest `most` matches among the newest rows, by reading these in order. */
function walk<Row extends pg.QueryResultRow>(list: FoundList, page: Page, most: number): Promise<Counted<Row>> {
  const { table, alias, columns, scope, filter, ranking } = list;
  const order = inOrder(list);
  const parameters = pageParameters(list);
  // The planner does not see through a limit that is selected, and takes it for a tenth of the rows. If it expected to need the
  // most of them, it would sort them all instead of reading the index.
  const matches = `SELECT ${alias}.*, (count(*) OVER ())::float8 AS matches FROM (
      SELECT * FROM (SELECT * FROM ${table} ${alias} WHERE ${scope} ${order} LIMIT (SELECT ${walkedRows})) ${alias}
      WHERE ${filter} ${order} LIMIT ${parameters.most}
    ) ${alias}`;
  const text = ranking
    ? rankedPage(list, ranking, matches)
    : `SELECT ${columns}, ${alias}.matches FROM (${matches}) ${alias} ${order} ${parameters.page}`;
  return read(list, text, page, most, {});
}

/** Matches found by the filter's index: at most `most` in no order, or all of them; the page has the newest of these. */
function lookUp<Row extends pg.QueryResultRow>(list: FoundList, page: Page, most: number | null): Promise<Counted<Row>> {
  const { table, alias, columns, ranking } = list;
  const order = inOrder(list);
  const parameters = pageParameters(list);
  // Materialised, so that the planner ignores the limit and uses the filter's index.
  const found = `WITH found AS MATERIALIZED (${lookedUp(list)})
    SELECT ${alias}.id, (count(*) OVER ())::float8 AS matches FROM (SELECT * FROM found LIMIT ${parameters.most}) ${alias} ${order}`;
  const rowsOf = (part: string) =>
    `(${found} ${part}) page JOIN ${table} ${alias} ON ${alias}.identity_id = $1 AND ${alias}.id = page.id`;
  const text = ranking
    ? rankedPage(list, ranking, `SELECT ${alias}.*, page.matches FROM ${rowsOf(`LIMIT ${ranked}`)}`)
    : `SELECT ${columns}, page.matches FROM ${rowsOf(parameters.page)} ${order}`;
  return read(list, text, page, most, { withoutRowSecurity: true });
}

/** Id and time of all matches, by the filter's index. */
function lookedUp({ table, alias, time, scope, filter, lookUp: other }: FoundList): string {
  const select = `SELECT ${alias}.id, ${alias}.${time} FROM ${table} ${alias} WHERE ${scope}`;
  if (!other) return `${select} AND ${filter}`;
  // Row by row: the planner expects far more ids than there are for most searches, and would read all rows instead.
  return `SELECT ${alias}.* FROM (SELECT DISTINCT hit.id FROM (${other.ids}) hit) hit
    CROSS JOIN LATERAL (${select} AND ${other.filter} AND ${alias}.id = hit.id OFFSET 0) ${alias}`;
}

/** The page of those `matches` that are behind a position, the best first. */
function rankedPage(list: FoundList, { score, after }: Ranking, matches: string): string {
  const { alias, time, columns, values } = list;
  const [score_, time_, id] = [4, 5, 6].map((n) => `$${values.length + n}`);
  const behindIt = after
    ? `WHERE (${alias}.score, ${alias}.${time}, ${alias}.id) < (${score_}::float8, ${time_}::timestamptz, ${id}::uuid)`
    : '';
  return `SELECT ${columns}, ${alias}.matches, ${alias}.score
    FROM (SELECT ${alias}.*, (${score})::float8 AS score FROM (${matches}) ${alias}) ${alias} ${behindIt}
    ORDER BY ${alias}.score DESC, ${alias}.${time} DESC, ${alias}.id DESC ${pageParameters(list).page}`;
}

/** Reads a page; beyond the last match, where no row carries their number, it is asked for. */
async function read<Row extends pg.QueryResultRow>(
  { values, ranking, isRepeated }: FoundList,
  text: string,
  page: Page,
  most: number | null,
  options: RunOptions,
): Promise<Counted<Row>> {
  const readPart = ({ limit, offset }: Page) =>
    run<Row & { matches: number }>(text, [...values, limit, offset, most, ...(ranking?.after ?? [])], { ...options, isRepeated });
  const found = await readPart(page);
  const [first] = found.length === 0 && page.offset > 0 ? await readPart({ limit: 1, offset: 0 }) : found;
  return { page: found, matches: first?.matches ?? 0 };
}

/**
 * True if a trigram index supports a search for a part of a text: three letters or digits in a row, or fewer at the edge of a
 * word within it. As pg_trgm takes trigrams of a pattern, with a word's two blanks before and one behind it.
 */
export function hasTrigram(part: string): boolean {
  return /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u.test(part);
}
