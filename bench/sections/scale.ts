import type pg from 'pg';
import { deferIndexes } from '@/server/features/backup/bulk-load';
import { addCustomers, type BenchIdentity, benchTags, createIdentity, settle, terms, withoutSearch } from '../fill';
import { cursorBehind, type MakeRequest, type Measurement, measure } from '../load';
import type { BenchServer } from '../server';
import { makeSide, type Side } from '../sides';
import { median, milliseconds, type Table, whole } from '../table';
import { listsOf } from '../workload';

/** Whether customers are listed and searched as fast in an installation of ten million as in one of 20,000. */

const alone = 20_000;
const tenantCount = 200;

/** Number of customers of each identity: two with a fifth of all, the others with the rest. */
function sizesOf(total: number): number[] {
  const large = total / 5;
  const small = Math.floor((total - 2 * large) / (tenantCount - 2));
  return [large, large, ...Array.from({ length: tenantCount - 2 }, () => small)];
}

/** `$1` an identity, `$2` the one to copy from, `$3` how many. Ids are unique within an identity only. */
const copyCustomers = `INSERT INTO customers (id, identity_id, company, phone, tags, notes, metadata, search_text, created_at, updated_at)
  SELECT id, $1::uuid, company, phone, tags, notes, metadata, replace(search_text, $5::text, $4::text), created_at, updated_at
  FROM customers WHERE identity_id = $2 ORDER BY id LIMIT $3`;

/** `$4` and `$5` the domains of both. */
const copyContacts = `INSERT INTO external_contacts (identity_id, guid, email, display_name, customer_id, is_primary, link_order)
  SELECT $1::uuid, guid, replace(email, $5::text, $4::text), display_name, customer_id, is_primary, nextval('external_contacts_link_order_seq')
  FROM external_contacts WHERE identity_id = $2 AND customer_id <= (
    SELECT max(id::text)::uuid FROM (SELECT id FROM customers WHERE identity_id = $2 ORDER BY id LIMIT $3) copied)`;

/** Triggers, behind their tables. */
const lookingUp = [
  'customers customers_primary_contact',
  'customers customers_search_text',
  'external_contacts external_contacts_search_text',
];

const domainOf = ({ id }: BenchIdentity) => `@${id.slice(0, 8)}.`;

/** Fills identities with the same customers, the first of them with the most. */
async function fillAll(sql: pg.Client, sizes: number[]): Promise<BenchIdentity[]> {
  const identities: BenchIdentity[] = [];
  for (const _ of sizes) identities.push(await createIdentity(sql, 'enterprise'));
  const [first, ...others] = identities;
  if (!first) throw new Error('no identities');
  await withoutSearch(sql, () => addCustomers(sql, first, 1, sizes[0] ?? 0));
  await sql.query('BEGIN');
  const recreateIndexes = await deferIndexes(sql, [{ name: 'customers' }, { name: 'external_contacts' }]);
  // They look each customer's contacts up, by an index that is not there yet.
  for (const trigger of lookingUp) await sql.query(`ALTER TABLE ${trigger.replace(' ', ' DISABLE TRIGGER ')}`);
  await sql.query('COMMIT');
  for (const [n, identity] of others.entries()) {
    const values = [identity.id, first.id, sizes[n + 1]];
    await sql.query(copyCustomers, [...values, domainOf(identity), domainOf(first)]);
    await sql.query(copyContacts, [...values, domainOf(identity), domainOf(first)]);
  }
  await sql.query('BEGIN');
  await recreateIndexes();
  for (const trigger of lookingUp) await sql.query(`ALTER TABLE ${trigger.replace(' ', ' ENABLE ALWAYS TRIGGER ')}`);
  await sql.query('COMMIT');
  await settle(sql);
  return identities;
}

/** Every way to list customers, by name in the table. */
async function readsOf(server: BenchServer, identity: BenchIdentity): Promise<Record<string, MakeRequest>> {
  const list = (parameters: Record<string, string>): MakeRequest => {
    const path = `/api/v1/identity/customers?limit=50&${new URLSearchParams(parameters)}`;
    return () => ({ path, key: identity.keys[0] ?? '' });
  };
  const behind = async (parameters: Record<string, string>) =>
    list({ ...parameters, cursor: await cursorBehind(server, list(parameters), 2) });
  return {
    ...listsOf(identity),
    'list, page 3 by cursor': await behind({}),
    'search: in most customers, page 3 by cursor': await behind({ q: terms.common }),
    'tag of every fifth, page 3 by cursor': await behind({ tag: benchTags.common }),
    'with contacts: in most customers': list({ search: terms.common }),
    'with contacts: in twenty': list({ search: terms.rare }),
    'with contacts: in none': list({ search: terms.absent }),
    'with contacts: one address': list({ search: 'person.777@' }),
  };
}

interface Target {
  side: Side;
  reads: Record<string, MakeRequest>;
}

/** The middle of the rounds, for each target. */
function medians(rounds: number[][]): number[] {
  return (rounds[0] ?? []).map((_, n) => median(rounds.map((round) => round[n] ?? Number.NaN)));
}

/** Rows of the table for one list: at 1 and at 8 connections. The first target is what the others are compared with. */
async function compareTargets(name: string, targets: Target[], quick: boolean): Promise<string[][]> {
  const [roundCount, seconds] = quick ? [1, 1] : [3, 2];
  const run = ({ side, reads }: Target, connections: number) => {
    const make = reads[name];
    if (!make) throw new Error(`no list ${name}`);
    return measure(side.product, side.database.pid, make, { connections, duration: seconds, status: 200 });
  };
  for (const target of targets) await run(target, 8);
  const rows: string[][] = [];
  for (const connections of [1, 8]) {
    const rounds: Measurement[][] = [];
    for (let round = 0; round < roundCount; round++) {
      const measured: Measurement[] = [];
      for (const target of targets) measured.push(await run(target, connections));
      rounds.push(measured);
    }
    const p50s = rounds.map((round) => round.map(({ p50 }) => p50));
    const p99s = rounds.map((round) => round.map(({ p99 }) => p99));
    const ratios = p50s.map(([first = Number.NaN, ...others]) => others.map((p50) => p50 / first));
    const ratio = medians(ratios).map((value) => value.toFixed(1));
    rows.push([
      name,
      `${connections}`,
      medians(p50s).map(milliseconds).join(' / '),
      ratio.join(' / '),
      medians(p99s).map(milliseconds).join(' / '),
    ]);
  }
  return rows;
}

export async function scale({ quick }: { quick: boolean }): Promise<Table> {
  const total = quick ? 200_000 : 10_000_000;
  const sizes = sizesOf(total);
  const small = await openSide([alone]);
  try {
    const large = await openSide(sizes);
    try {
      const targets = [small.targets[0], large.targets.at(-1), large.targets[0]].filter((target) => target !== undefined);
      const rows: string[][] = [];
      for (const name of Object.keys(targets[0]?.reads ?? {})) rows.push(...(await compareTargets(name, targets, quick)));
      return {
        title: 'Ten million customers',
        note:
          `One identity of ${whole(alone)} customers alone / one of ${whole(sizes.at(-1) ?? 0)} / one of ${whole(sizes[0] ?? 0)}, ` +
          `the last two among ${tenantCount} identities with ${whole(total)} customers in one database. Target: p50 within 2× of the first.`,
        head: ['List', 'Connections', 'p50 ms', 'Ratio', 'p99 ms'],
        rows,
      };
    } finally {
      await large.side.close();
    }
  } finally {
    await small.side.close();
  }
}

/** An installation of identities with so many customers; targets are the first and the last of them. */
async function openSide(sizes: number[]): Promise<{ side: Side; targets: Target[] }> {
  let identities: BenchIdentity[] = [];
  const side = await makeSide(async ({ sql }) => {
    identities = await fillAll(sql, sizes);
    return {};
  });
  try {
    const targets: Target[] = [];
    for (const identity of [identities[0], identities.at(-1)]) {
      if (identity) targets.push({ side, reads: await readsOf(side.product, identity) });
    }
    return { side, targets };
  } catch (error) {
    await side.close();
    throw error;
  }
}
