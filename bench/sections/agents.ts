import type pg from 'pg';
import { compare, comparisonHead, type Operation } from '../compare';
import { startDatabase } from '../database';
import { type BenchIdentity, createIdentity } from '../fill';
import type { MakeRequest } from '../load';
import { type Table, whole } from '../table';

/** The list of agents with a wildcard search, over many agents of one identity. */

const agentCount = 10_000;

async function addAgents(sql: pg.Client, { id }: BenchIdentity): Promise<void> {
  await sql.query(
    `INSERT INTO agents (id, identity_id, name, kind, role_id, setup)
     SELECT gen_random_uuid(), $1, initcap(area) || ' ' || initcap(city) || ' ' || n, area, area || '-' || city || '-' || n, '{}'
     FROM generate_series(1, $2::int) n,
       LATERAL (SELECT (ARRAY['support','sales','billing','outreach','workshop','returns','press'])[1 + n % 7] AS area,
         (ARRAY['berlin','lisbon','oslo','zurich','lyon','turin','gdansk','malmo','porto','cork','ghent'])[1 + n % 11] AS city) names`,
    [id, agentCount],
  );
  await sql.query('VACUUM (ANALYZE) agents');
}

/** From a few matches to a seventh of all. */
const searches: Record<string, readonly string[]> = {
  'wildcards, few match': ['support-*-77?', '*oslo*42', 'press-zurich-1??', '?ales-lyon-9*', '*-1234'],
  'wildcards, a seventh matches': ['support*', '*-cork-*', 'sales*', '*berlin*', 'b*g'],
  'without wildcards': ['zurich 12', 'gdansk', 'outreach-porto', 'Cork 99'],
};

function search({ keys: [key = ''] }: BenchIdentity, queries: readonly string[]): MakeRequest {
  return (n) => ({
    path: `/api/v1/identity/agents?limit=50&query=${encodeURIComponent(queries[n % queries.length] ?? '')}`,
    key,
  });
}

export async function agents({ quick }: { quick: boolean }): Promise<Table> {
  const database = await startDatabase();
  try {
    const identity = await createIdentity(database.sql, 'enterprise');
    await addAgents(database.sql, identity);
    const compared = Object.entries(searches).map(
      ([name, queries]): Operation => ({ name, status: 200, load: () => search(identity, queries) }),
    );
    return {
      title: 'List of agents with search',
      note: `Frontdesk / hand-written query, ${whole(agentCount)} agents of one identity, pages of 50. Target: p50 under 15 ms at 8 connections.`,
      head: comparisonHead,
      rows: await compare(database, compared, quick),
    };
  } finally {
    await database.remove();
  }
}
