import { pool } from '@/server/platform/db/pool';
import { escapeLike, rows, type Statement } from '@/server/platform/db/sql';
import { type CustomerFilter, type CustomerRow, customerColumns, withContacts } from './customer.queries';
import type { CustomerList } from './customer.schema';

/** Matches of a filter are counted up to this number: nobody pages further, and an exact count would slow the search down. */
export const countingLimit = 1_000;

interface Page {
  limit: number;
  offset: number;
}

interface CountedRow extends CustomerRow {
  total: number;
}

/** A page of a list, newest first, with the total. */
export async function listCustomerPage(identityId: string, filter: CustomerFilter, page: Page): Promise<CustomerList> {
  const db = pool();
  const ways = alternativesOf(filter);
  const filtered = ways[0].length > 0;
  const found = await rows<CountedRow>(db, filtered ? filteredPage(identityId, ways, page) : wholePage(identityId, page));
  const counted = found[0]?.total ?? (page.offset === 0 ? 0 : await countBeyondTheEnd(identityId, ways));
  const totalIsExact = !filtered || counted <= countingLimit;
  const customers = await withContacts(db, identityId, found);
  return {
    customers,
    count: customers.length,
    total: totalIsExact ? counted : countingLimit,
    totalIsExact,
    hasMore: page.offset + customers.length < counted,
  };
}

/** Unfiltered lists use the maintained count (see CustomerCount in the Prisma schema) and one index range scan. */
function wholePage(identityId: string, { limit, offset }: Page): Statement {
  return {
    name: 'customer-list',
    isoTimes: true,
    text: `SELECT ${customerColumns}, (${countAll}) AS total FROM customers c
      WHERE c.identity_id = $1 ORDER BY c.created_at DESC, c.id DESC LIMIT $2 OFFSET $3`,
    values: [identityId, limit, offset],
  };
}

const countAll = 'SELECT coalesce(sum(customers), 0)::float8 FROM customer_counts WHERE identity_id = $1';

interface Condition {
  /** SQL with `?` for the value's parameter. */
  sql: string;
  value: string;
}

/** Alternatives, of which a customer matches one if it meets all of its conditions; each uses a different index. */
type Alternatives = [Condition[], ...Condition[][]];

function alternativesOf(filter: CustomerFilter): Alternatives {
  const always = filterConditions(filter);
  if (!filter.search) return [always];
  const value = `%${escapeLike(filter.search)}%`;
  const byContact = {
    sql: `EXISTS (SELECT 1 FROM external_contacts x WHERE x.identity_id = $1 AND x.customer_id = c.id
      AND lower(' ' || x.display_name || ' ' || x.email) LIKE lower(?))`,
    value,
  };
  return [
    [...always, ...textConditions(filter.search)],
    [...always, byContact],
  ];
}

function textConditions(text: string): Condition[] {
  const value = `%${escapeLike(text)}%`;
  const inEither = { sql: `(c.company || E'\\n' || c.notes) ILIKE ?`, value };
  // The index holds both texts joined by a line break; a query that contains one must not match across the joint.
  return text.includes('\n') ? [inEither, { sql: '(c.company ILIKE ? OR c.notes ILIKE ?)', value }] : [inEither];
}

function filterConditions({ tag, query, email }: CustomerFilter): Condition[] {
  const conditions: Condition[] = query ? textConditions(query) : [];
  if (tag !== undefined) conditions.push({ sql: 'c.tags @> ARRAY[?]', value: tag });
  if (email !== undefined) {
    conditions.push({
      sql: 'c.id = (SELECT customer_id FROM external_contacts WHERE identity_id = $1 AND email = ?)',
      value: email.trim().toLowerCase(),
    });
  }
  return conditions;
}

/**
 * Not a named statement: the number of matches decides between scanning the newest rows and using the trigram index, and
 * PostgreSQL needs the value to decide. So it is planned each time, and is kept short: one table, once.
 */
function filteredPage(identityId: string, ways: Alternatives, { limit, offset }: Page): Statement {
  const values: unknown[] = [identityId, limit, offset];
  const matching = matchingCustomers(ways, values, `greatest($2::bigint + $3::bigint, ${countingLimit}) + 1`);
  return {
    isoTimes: true,
    text: `SELECT ${customerColumns}, (count(*) OVER ())::float8 AS total FROM (${matching}) c
      ORDER BY c.created_at DESC, c.id DESC LIMIT $2 OFFSET $3`,
    values,
  };
}

/** The newest matches: the newest of each alternative's newest. */
function matchingCustomers(ways: Alternatives, values: unknown[], limit: string): string {
  const newest = `ORDER BY created_at DESC, id DESC LIMIT ${limit}`;
  const found = ways.map((conditions) => `SELECT * FROM customers c WHERE ${whereClause(conditions, values)} ${newest}`);
  if (found.length === 1) return found.join('');
  return `SELECT * FROM (${found.map((select) => `(${select})`).join(' UNION ')}) found ${newest}`;
}

function whereClause(conditions: Condition[], values: unknown[]): string {
  const parts = conditions.map(({ sql, value }) => {
    values.push(value);
    return sql.replaceAll('?', `$${values.length}::text`);
  });
  return ['c.identity_id = $1', ...parts].join(' AND ');
}

/** The total if the offset is beyond the last match, so that no row carries it. */
async function countBeyondTheEnd(identityId: string, ways: Alternatives): Promise<number> {
  const values: unknown[] = [identityId];
  const text =
    ways[0].length === 0
      ? `SELECT (${countAll}) AS total`
      : `SELECT count(*)::float8 AS total FROM (${matchingCustomers(ways, values, String(countingLimit + 1))}) c`;
  const [row] = await rows<{ total: number }>(pool(), { text, values });
  return row?.total ?? 0;
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
