import type pg from 'pg';
import { expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';

/** Tables of which the log notes new and deleted rows by statement. */

withFreshDatabase();

const author = { kind: 'system', cause: 'upkeep' } as const;

const idOf = (kind: number, number: number) => `00000000-0000-4000-8${kind}00-${String(number).padStart(12, '0')}`;

/** What the log treats in a special way: empty, long and nested values. */
const companies = ['Quark', '', 'x'.repeat(300), 'Ünï “quoted” \n'];
const notes = ['', 'short', 'y'.repeat(5_000), 'z'.repeat(1_000)];
const metadata = [{}, { a: null, b: { c: [] } }, { long: 'm'.repeat(5_000) }, Array.from({ length: 50 }, (_, n) => n)];
const pick = <T>(list: T[], number: number) => list[number % list.length] as T;

interface AuditedTable {
  name: string;
  key: string;
  row: (number: number) => Record<string, unknown>;
  /** An assignment that changes some rows, and leaves others as they are. */
  change: string;
}

const tables: AuditedTable[] = [
  {
    name: 'customers',
    key: 'id',
    row: (number) => ({
      id: idOf(1, number),
      company: pick(companies, number),
      phone: '',
      tags: number % 2 ? ['vip', 'new'] : [],
      notes: pick(notes, number),
      metadata: pick(metadata, number),
    }),
    change: `company = CASE WHEN company = '' THEN '' ELSE company || '!' END`,
  },
  {
    name: 'external_contacts',
    key: 'guid',
    row: (number) => ({
      guid: idOf(2, number),
      email: `c${number}@x.example`,
      display_name: pick(companies, number),
      customer_id: idOf(1, number),
      is_primary: true,
      link_order: number,
    }),
    change: `display_name = 'Ann'`,
  },
  {
    name: 'conversations',
    key: 'id',
    row: (number) => ({
      id: idOf(3, number),
      subject: pick(companies, number),
      channel: 'email',
      origin_address: 'a@x.example',
      counterpart_email: 'b@x.example',
      counterpart_name: number % 2 ? null : 'Bo',
      preview: pick(notes, number),
      last_message_at: '2026-11-01T00:00:00Z',
    }),
    change: `preview = 'read', is_read = (id::text LIKE '%1')`,
  },
];

const count = 12;

/** Inserts, changes and deletes rows of each table, so many at a time. */
async function writeRows(identityId: string, size: number): Promise<void> {
  const batches = Array.from({ length: count / size }, (_, batch) => Array.from({ length: size }, (_, n) => batch * size + n));
  await transaction(author, async (client) => {
    for (const { name, row } of tables) {
      const columns = Object.keys(row(0)).join(', ');
      for (const batch of batches) {
        await client.query(
          `INSERT INTO ${name} (identity_id, ${columns}) SELECT $1, ${columns} FROM jsonb_populate_recordset(NULL::${name}, $2)`,
          [identityId, JSON.stringify(batch.map(row))],
        );
      }
    }
    const each = async (table: AuditedTable, statement: string) => {
      const where = `WHERE identity_id = $1 AND ${table.key} = ANY ($2::uuid[])`;
      for (const batch of batches) {
        await client.query(`${statement} ${where}`, [identityId, batch.map((number) => table.row(number)[table.key])]);
      }
    };
    for (const table of tables) await each(table, `UPDATE ${table.name} SET ${table.change}`);
    for (const table of tables.toReversed()) await each(table, `DELETE FROM ${table.name}`);
  });
}

const entriesOf = (identityId: string, db: pg.Pool | pg.PoolClient = pool()) =>
  rows<Record<string, unknown>>(db, {
    text: `SELECT author_kind, author_id, cause, agent_id, request_id, client_request_id, resource, resource_id, parent_id, label, action,
        before, after
      FROM audit_entries WHERE identity_id = $1 AND resource IN ('customer', 'contact', 'conversation') ORDER BY id`,
    values: [identityId],
  });

/** Entries in their order, except for those of deletions, whose order depends on the plan. */
function comparable(entries: Record<string, unknown>[]): Record<string, unknown>[] {
  const deleted = ({ action }: Record<string, unknown>) => action === 'deleted';
  const byRecord = (one: Record<string, unknown>, other: Record<string, unknown>) =>
    String(one.resource_id).localeCompare(String(other.resource_id));
  return [...entries.filter((entry) => !deleted(entry)), ...entries.filter(deleted).sort(byRecord)];
}

test('many rows of a statement are noted like single ones, and new ones in their order', async () => {
  const [single, bulk] = [await createTestIdentity(), await createTestIdentity()];
  await writeRows(single.identityId, 1);
  await writeRows(bulk.identityId, count);
  const [expected, found] = [await entriesOf(single.identityId), await entriesOf(bulk.identityId)];
  expect(comparable(found)).toEqual(comparable(expected));
  const changed = { customer: 9, contact: 12, conversation: 2 };
  expect(found).toHaveLength(2 * 3 * count + changed.customer + changed.contact + changed.conversation);
  expect(found[0]).toEqual({
    ...{ author_kind: 'system', author_id: null, cause: 'upkeep', agent_id: null, request_id: null, client_request_id: null },
    ...{ resource: 'customer', resource_id: idOf(1, 0), parent_id: null, label: 'Quark', action: 'created' },
    before: null,
    after: { company: 'Quark' },
  });
  const long = found.find(({ resource_id, action }) => resource_id === idOf(1, 2) && action === 'created');
  expect(long).toMatchObject({ label: 'x'.repeat(200), after: { company: 'x'.repeat(300), notes: `${'y'.repeat(1_000)}…` } });
  expect(found.find(({ resource_id }) => resource_id === idOf(2, 3))).toMatchObject({
    resource: 'contact',
    parent_id: idOf(1, 3),
    label: 'c3@x.example',
    after: { email: 'c3@x.example', display_name: pick(companies, 3), is_primary: true, customer_id: idOf(1, 3) },
  });
  expect(found.at(-1)).toMatchObject({ resource: 'customer', action: 'deleted', after: null });
});

test('rows of an identity that is erased are not noted, those of others in the same statement are', async () => {
  const [erased, other] = [await createTestIdentity(), await createTestIdentity()];
  const row = tables[2]?.row(0);
  const insert = (client: pg.PoolClient, identityId: string) =>
    client.query(
      `INSERT INTO conversations (identity_id, id, subject, channel, origin_address, counterpart_email, preview, last_message_at)
        SELECT $1, id, subject, channel, origin_address, counterpart_email, preview, last_message_at
        FROM jsonb_populate_record(NULL::conversations, $2)`,
      [identityId, JSON.stringify(row)],
    );
  await transaction(author, async (client) => {
    for (const { identityId } of [erased, other]) await insert(client, identityId);
    await client.query(`SELECT set_config('frontdesk.erased', $1, true)`, [erased.identityId]);
    await client.query('DELETE FROM conversations WHERE identity_id = ANY ($1)', [[erased.identityId, other.identityId]]);
  });
  const actions = async ({ identityId }: { identityId: string }) => (await entriesOf(identityId)).map(({ action }) => action);
  expect(await actions(erased)).toEqual(['created']);
  expect(await actions(other)).toEqual(['created', 'deleted']);
});
