import {
  countingLimit,
  type FilteredList,
  type Found,
  hasTrigram,
  listFiltered,
  listWhole,
  type PageInput,
} from '@/server/platform/db/filtered-list';
import { pool } from '@/server/platform/db/pool';
import { escapeLike, rows } from '@/server/platform/db/sql';
import { tooShortToSearch } from '@/server/platform/errors';
import { nextCursorOf, positionOf } from '@/server/platform/list-cursor';
import { type CustomerFilter, type CustomerRow, customerColumns, withContacts } from './customer.queries';
import type { CustomerList } from './customer.schema';
import { positionText, searchCustomers, searchPositionOf } from './customer.search';

interface Page {
  limit: number;
  offset: number;
  cursor?: string | undefined;
}

interface CountedRow extends CustomerRow {
  matches: number;
}

/** A page of a list, newest first, with the total. @throws AppError invalid_request for a search too short for a long list */
export async function listCustomerPage(identityId: string, filter: CustomerFilter, page: Page): Promise<CustomerList> {
  const { search, ...others } = filter;
  if (search?.trim()) return searchPage(identityId, { ...others, search }, page);
  const { limit, offset, cursor } = page;
  const key = ['customers', identityId, others];
  const position = positionOf(key, { cursor, offset });
  const wanted = { limit, offset, position };
  const list = filteredList(identityId, others);
  const found = list ? await listFiltered<CountedRow>(list, wanted) : await wholePage(identityId, wanted);
  if (!found) throw tooShortToSearch('query');
  const nextCursor = nextCursorOf(key, found, (row) => row.created_at, position?.before ?? offset);
  return toPage(identityId, found, { isCounted: !list, nextCursor });
}

/** A page of a search by words, best match first. */
async function searchPage(
  identityId: string,
  filter: CustomerFilter & { search: string },
  { limit, offset, cursor }: Page,
): Promise<CustomerList> {
  const { search, ...others } = filter;
  const key = ['customers', identityId, filter];
  const position = positionOf(key, { cursor, offset }, 'rank');
  const found = await searchCustomers(
    { ...listOf(identityId, others), text: search },
    { limit, offset, position: position && searchPositionOf(position) },
  );
  if (!found) throw tooShortToSearch('search');
  const nextCursor = nextCursorOf(key, found, () => positionText(found), position?.before ?? offset);
  return toPage(identityId, found, { isCounted: false, nextCursor });
}

async function toPage(
  identityId: string,
  { page, matches, hasMore }: Found<CustomerRow>,
  { isCounted, nextCursor }: { isCounted: boolean; nextCursor: string | null },
): Promise<CustomerList> {
  const totalIsExact = isCounted || matches <= countingLimit;
  const customers = await withContacts(pool(), identityId, page);
  const total = totalIsExact ? matches : countingLimit;
  return { customers, count: customers.length, total, totalIsExact, hasMore, nextCursor };
}

/** Unfiltered lists use the maintained count (see CustomerCount in the Prisma schema) and one index range scan. */
async function wholePage(identityId: string, page: PageInput): Promise<Found<CountedRow>> {
  const select = `SELECT ${customerColumns}, (${countAll}) AS matches FROM customers c WHERE c.identity_id = $1`;
  const found = await listWhole<CountedRow>({ alias: 'c', time: 'created_at', select, values: [identityId] }, page);
  return { ...found, matches: found.page[0]?.matches ?? (await countCustomers(identityId)) };
}

const countAll = 'SELECT coalesce(sum(customers), 0)::float8 FROM customer_counts WHERE identity_id = $1';

async function countCustomers(identityId: string): Promise<number> {
  const [row] = await rows<{ total: number }>(pool(), {
    name: 'customer-count',
    text: `SELECT (${countAll}) AS total`,
    values: [identityId],
  });
  return row?.total ?? 0;
}

type SpecifiedFilter = Omit<CustomerFilter, 'search'>;

/** The conditions of a filter, which an index supports if `isIndexed`, and the list that they are for. */
function listOf(identityId: string, { tag, query, email }: SpecifiedFilter) {
  const values: unknown[] = [identityId];
  const parameter = (value: string) => `$${values.push(value)}::text`;
  const always: string[] = query ? textConditions(query, parameter) : [];
  if (tag !== undefined) always.push(`c.tags @> ARRAY[${parameter(tag)}]`);
  if (email !== undefined) {
    always.push(
      `c.id = (SELECT customer_id FROM external_contacts WHERE identity_id = $1 AND email = ${parameter(email.trim().toLowerCase())})`,
    );
  }
  const list = { table: 'customers', alias: 'c', time: 'created_at', scope: 'c.identity_id = $1', size: countAll };
  return { list, always, values, isIndexed: email !== undefined || tag !== undefined || hasTrigram(query ?? '') };
}

/** The list of a filter; null without one. */
function filteredList(identityId: string, specified: SpecifiedFilter): FilteredList | null {
  const { list, always, values, isIndexed } = listOf(identityId, specified);
  if (always.length === 0) return null;
  const filter = always.join(' AND ');
  return { ...list, columns: customerColumns, filter, isIndexed, values };
}

type Parameter = (value: string) => string;

/** In company or notes. The index has other fields as well. */
function textConditions(text: string, parameter: Parameter): string[] {
  const pattern = parameter(`%${escapeLike(text)}%`);
  return [`c.search_text LIKE lower(${pattern})`, `(c.company ILIKE ${pattern} OR c.notes ILIKE ${pattern})`];
}

/** Newest customers whose tags are suggested; bounds the cost for large lists. */
const tagsLookedAt = 2_000;
const tagsSuggested = 100;

/** The tags of the newest customers, most frequent first. */
export async function listTags(identityId: string): Promise<string[]> {
  const found = await rows<{ tag: string }>(pool(), {
    name: 'customer-tags',
    text: `SELECT tag FROM (
        SELECT tags FROM customers WHERE identity_id = $1 ORDER BY created_at DESC, id DESC LIMIT ${tagsLookedAt}
      ) newest, unnest(newest.tags) AS tag
      GROUP BY tag ORDER BY count(*) DESC, tag LIMIT ${tagsSuggested}`,
    values: [identityId],
  });
  return found.map(({ tag }) => tag);
}
