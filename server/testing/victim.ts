import { pool } from '@/server/platform/db/pool';
import type { Known } from './examples';
import { createFullBusiness } from './full-business';
import type { TestIdentity } from './identity';

/**
 * A business with every kind of data, whose texts all contain a marker that occurs nowhere else: a response with the marker, or
 * with the id of one of its rows, has leaked its data.
 */

export const marker = 'zqvictimzq';

export interface Victim {
  identity: TestIdentity;
  /** One id of each kind, by the name of its parameter, and what else inputs may name. */
  known: Known;
  /** Every id of its rows, and its secret calendar URL; in lower case. */
  ids: readonly string[];
}

const patterns = (victim: Pick<TestIdentity, 'identityId' | 'owner'>) =>
  [victim.identityId, victim.owner.userId, marker].map((text) => `%${text}%`);

async function tables(): Promise<string[]> {
  const { rows } = await pool().query<{ name: string }>(
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Every UUID in its rows. */
async function idsOf(identity: TestIdentity): Promise<string[]> {
  const found = new Set<string>([identity.identityId, identity.owner.userId]);
  for (const table of await tables()) {
    const { rows } = await pool().query<{ row: string }>(`SELECT t::text AS row FROM ${table} t WHERE t::text LIKE ANY($1)`, [
      patterns(identity),
    ]);
    for (const { row } of rows) for (const [id] of row.matchAll(uuids)) found.add(id);
  }
  return [...found];
}

/** A version of a row. */
interface RowVersion {
  table: string;
  /** Where it is, and the transaction that wrote it: another version has another place. */
  place: string;
  /** Its text, if it was written after `since`. */
  row: string | null;
}

/** All rows, with the texts of those that were written after the oldest transaction that was open when `since` was read. */
async function rowVersions(since: string): Promise<{ versions: RowVersion[]; until: string }> {
  const all = (await tables()).map(
    (table) => `SELECT '${table}' AS table, t.tableoid || ' ' || t.ctid::text || ' ' || t.xmin::text AS place,
      CASE WHEN t.xmin::text::bigint >= $1 THEN t::text END AS row FROM ${table} t`,
  );
  const { rows } = await pool().query<{ until: string }>('SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS until');
  const found = await pool().query<RowVersion>(all.join(' UNION ALL '), [since]);
  return { versions: found.rows, until: rows[0]?.until ?? '0' };
}

/**
 * Watches the victim's rows: every row that contains one of its ids or texts in any column.
 *
 * @returns a function that names the tables in which rows of the victim were added, changed or removed since it was called
 * before. Rows that contain one of `others` are no change: they may have recorded an id that was sent.
 */
export async function watchRows({ identity, ids }: Victim): Promise<(others: readonly string[]) => Promise<string[]>> {
  const texts = [identity.identityId, identity.owner.userId, marker, ...ids];
  const isTheirs = ({ row }: RowVersion) => row !== null && texts.some((text) => row.includes(text));
  const first = await rowVersions('0');
  let since = first.until;
  let known = new Set(first.versions.map(({ place }) => place));
  const theirs = new Map(first.versions.filter(isTheirs).map(({ place, table }) => [place, table]));
  return async (others) => {
    const { versions, until } = await rowVersions(since);
    // Transactions that were open before, also in other databases, have rows read again that were looked at then.
    const added = versions.filter(
      (version) => !known.has(version.place) && isTheirs(version) && !others.some((id) => version.row?.includes(id)),
    );
    since = until;
    known = new Set(versions.map(({ place }) => place));
    const removed = [...theirs].filter(([place]) => !known.has(place));
    for (const [place] of removed) theirs.delete(place);
    for (const { place, table } of added) theirs.set(place, table);
    return [...new Set([...added.map(({ table }) => table), ...removed.map(([, table]) => table)])].sort();
  };
}

/** Creates the victim; once per database. */
export async function createVictim(): Promise<Victim> {
  const { known, ...identity } = await createFullBusiness(marker);
  return { identity, known, ids: [...(await idsOf(identity)), (known.feedUrl ?? '').toLowerCase()] };
}
