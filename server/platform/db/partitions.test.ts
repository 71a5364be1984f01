import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { queryAsOwner, withFreshDatabase } from '@/server/testing/database';
import { keepPartitions } from './partitions';
import { pool } from './pool';

withFreshDatabase();

interface Partition {
  name: string;
  startsAt: string | null;
  endsAt: string | null;
}

const table = 'usage_records';
const keep = (days: number) => keepPartitions({ table, column: 'created_at', days });

/** The partitions, first to last, with their months. */
async function partitions(): Promise<Partition[]> {
  const bound = (word: string) =>
    `substring(pg_get_expr(c.relpartbound, c.oid) FROM '${word} \\(''([^'']+)''\\)')::timestamptz AT TIME ZONE 'UTC'`;
  const { rows } = await pool().query<Partition>(
    `SELECT c.relname AS name, to_char(${bound('FROM')}, 'YYYY-MM-DD') AS "startsAt", to_char(${bound('TO')}, 'YYYY-MM-DD') AS "endsAt"
      FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = $1::regclass ORDER BY ${bound('TO')}, ${bound('FROM')}`,
    [table],
  );
  return rows;
}

const monthAhead = async (months: number) => {
  const { rows } = await pool().query<{ day: string }>(
    `SELECT to_char(date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => $1), 'YYYY-MM-DD') AS day`,
    [months],
  );
  return rows[0]?.day ?? '';
};

/** A record of this time; answers where it lies. */
async function addRecord(identityId: string, time: string): Promise<string> {
  const { rows } = await pool().query<{ place: string }>(
    `INSERT INTO usage_records (id, identity_id, type, total_tokens, created_at) VALUES (gen_random_uuid(), $1, 'token_usage', 1, $2)
      RETURNING tableoid::regclass::text AS place`,
    [identityId, time],
  );
  return rows[0]?.place.replace('partitions.', '') ?? '';
}

async function placesOf(identityId: string): Promise<string[]> {
  const { rows } = await pool().query<{ place: string }>(
    'SELECT tableoid::regclass::text AS place FROM usage_records WHERE identity_id = $1 ORDER BY created_at',
    [identityId],
  );
  return rows.map(({ place }) => place.replace('partitions.', ''));
}

let identityId: string;

beforeEach(() => {
  identityId = randomUUID();
});

describe('partitions by month', () => {
  test('follow each other without a gap, until three months ahead', async () => {
    await keep(0);
    const found = await partitions();
    expect(found.at(0)).toMatchObject({ name: 'usage_records_first', startsAt: null });
    // The database may have been migrated at the end of the month before.
    expect([await monthAhead(1), await monthAhead(2)]).toContain(found[0]?.endsAt);
    expect(found.at(-1)).toEqual({ name: 'usage_records_rest', startsAt: null, endsAt: null });
    const months = found.slice(1, -1);
    expect(months.map(({ startsAt }) => startsAt)).toEqual(found.slice(0, -2).map(({ endsAt }) => endsAt));
    expect(months.at(-1)?.endsAt).toBe(await monthAhead(3));
    await keep(0);
    expect(await partitions()).toEqual(found);
  });

  test('take rows that came before them', async () => {
    const late = `${await monthAhead(5)}T10:00:00Z`;
    expect(await addRecord(identityId, late)).toBe('usage_records_rest');
    await pool().query('SELECT add_partitions($1::regclass, $2, 6)', [table, 'created_at']);
    expect(await placesOf(identityId)).toEqual([`usage_records_${late.slice(0, 7).replace('-', '_')}`]);
  });

  test('that are over for long enough are dropped, and rows of the month that is not go one by one', async () => {
    const day = async (ago: number) => {
      const { rows } = await pool().query<{ time: string }>(`SELECT (now() - make_interval(days => $1))::text AS time`, [ago]);
      return rows[0]?.time ?? '';
    };
    await queryAsOwner(
      `CREATE TABLE partitions.usage_records_old (LIKE usage_records INCLUDING DEFAULTS INCLUDING CONSTRAINTS);
      ALTER TABLE usage_records DETACH PARTITION partitions.usage_records_first;
      ALTER TABLE usage_records ATTACH PARTITION partitions.usage_records_old FOR VALUES FROM (MINVALUE) TO ('2026-01-01 00:00Z');`,
    );
    await queryAsOwner(
      `DO $$ BEGIN EXECUTE format('ALTER TABLE usage_records ATTACH PARTITION partitions.usage_records_first FOR VALUES FROM (%L) TO (%L)',
        '2026-01-01 00:00Z', (SELECT min(ends_at) - interval '1 month' FROM partitions_of('usage_records') WHERE ends_at > now())); END $$`,
    );
    expect(await addRecord(identityId, '2025-06-15T00:00:00Z')).toBe('usage_records_old');
    await addRecord(identityId, await day(31));
    await addRecord(identityId, await day(29));
    await keep(0);
    expect(await placesOf(identityId)).toHaveLength(3);
    await keep(30);
    expect(await placesOf(identityId)).toEqual(['usage_records_first']);
    expect((await partitions()).map(({ name }) => name)).not.toContain('usage_records_old');
  });
});
