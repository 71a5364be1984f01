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

interface Page {
  limit: number;
  offset: number;
  cursor?: string | undefined;
}

interface CountedRow extends CustomerRow {
  matches: number;
}

/** A page of a list, newest first, with the total. @throws AppError invalid_request for a search too short for a long list */
export async function listCustomerPage(
  identityId: string,
  filter: CustomerFilter,
  { limit, offset, cursor }: Page,
): Promise<CustomerList> {
  const key = ['customers', identityId, filter];
  const position = positionOf(key, { cursor, offset });
  const page = { limit, offset, position };
  const list = filteredList(identityId, filter);
  const found = list ? await listFiltered<CountedRow>(list, page) : await wholePage(identityId, page);
  if (!found) throw tooShortToSearch(filter.query ? 'query' : 'search');
  const totalIsExact = !list || found.matches <= countingLimit;
  const customers = await withContacts(pool(), identityId, found.page);
  return {
    customers,
    count: customers.length,
    total: totalIsExact ? found.matches : countingLimit,
    totalIsExact,
    hasMore: found.hasMore,
    nextCursor: nextCursorOf(key, found, (row) => row.created_at, position?.before ?? offset),
  };
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

/** The list of a filter; null without one. */
function filteredList(identityId: string, { tag, query, search, email }: CustomerFilter): FilteredList | null {
  const values: unknown[] = [identityId];
  const parameter = (value: string) => `$${values.push(value)}::text`;
  const always: string[] = query ? textConditions(query, parameter) : [];
  if (tag !== undefined) always.push(`c.tags @> ARRAY[${parameter(tag)}]`);
  if (email !== undefined) {
    always.push(
      `c.id = (SELECT customer_id FROM external_contacts WHERE identity_id = $1 AND email = ${parameter(email.trim().toLowerCase())})`,
    );
  }
  const found = search ? searchConditions(search, parameter) : null;
  if (always.length === 0 && !found) return null;
  // An address, a tag or one of two searches is enough for the index.
  const isIndexed = email !== undefined || tag !== undefined || [query, search].some((part) => part && hasTrigram(part));
  const byIndex = found ? found.byIndex.map((one) => [...always, one]) : [always];
  return {
    table: 'customers',
    alias: 'c',
    time: 'created_at',
    columns: customerColumns,
    scope: 'c.identity_id = $1',
    filter: [...always, ...(found ? [found.filter] : [])].join(' AND '),
    byIndex: isIndexed ? byIndex.map((conditions) => conditions.join(' AND ')) : null,
    size: countAll,
    values,
  };
}

type Parameter = (value: string) => string;

function textConditions(text: string, parameter: Parameter): string[] {
  const pattern = parameter(`%${escapeLike(text)}%`);
  const inEither = `(c.company || E'\\n' || c.notes) ILIKE ${pattern}`;
  // The index holds both texts joined by a line break; a query that contains one must not match across the joint.
  return text.includes('\n') ? [inEither, `(c.company ILIKE ${pattern} OR c.notes ILIKE ${pattern})`] : [inEither];
}

/** In the texts, or in a contact. */
function searchConditions(text: string, parameter: Parameter): { filter: string; byIndex: string[] } {
  const inText = `(${textConditions(text, parameter).join(' AND ')})`;
  const contact = `SELECT true FROM external_contacts x WHERE x.identity_id = $1 AND x.customer_id = c.id
    AND lower(' ' || x.display_name || ' ' || x.email) LIKE lower(${parameter(`%${escapeLike(text)}%`)})`;
  // With LIMIT, the contacts of each row are looked up, instead of all contacts that match at once.
  return { filter: `(${inText} OR coalesce((${contact} LIMIT 1), false))`, byIndex: [inText, `EXISTS (${contact})`] };
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
