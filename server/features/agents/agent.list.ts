import type { Found, PageInput } from '@/server/platform/db/filtered-list';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { hasWords, type WordFilter } from '@/server/platform/db/word-search';
import { joinActivity } from '../usage/activity.service';
import type { ListedAgent } from './agent.record';
import type { AgentStatus } from './agent.schema';
import { wildcardPattern } from './wildcard';

/** Filters of the agent list, combined with AND. */
export interface AgentFilter extends WordFilter {
  query?: string | undefined;
  status?: AgentStatus | undefined;
  kind?: string | undefined;
}

interface AgentRow extends ListedAgent {
  /** What the list is ordered by. */
  nameKey: string;
  total: number;
}

/** A page, and the number of all matches. */
export type AgentPage = Found<AgentRow>;

/** A trigram index needs this many consecutive letters or digits. */
const trigram = /[\p{L}\p{N}]{3}/u;

/**
 * A search first filters by the one column that combines all three fields, with its trigram index if the pattern is long
 * enough; that may match across fields, so the fields themselves are checked as well. Only the fields are checked for a pattern
 * that begins with a letter and is too short for the index: most values differ in the first letter already.
 */
function conditionsOf({ query, status, kind, words = [] }: AgentFilter, values: unknown[]): string {
  const lowered = (value: string) => `lower($${values.push(value)}::text)`;
  const conditions = ['identity_id = $1'];
  if (query) {
    const pattern = wildcardPattern(query, { unanchored: true });
    const exact = lowered(pattern);
    if (pattern.startsWith('%') || trigram.test(query)) conditions.push(`search_key LIKE ${lowered(`%${pattern}%`)}`);
    conditions.push(`(name_key LIKE ${exact} OR kind LIKE ${exact} OR role_id LIKE ${exact})`);
  }
  if (kind) conditions.push(`kind LIKE ${lowered(wildcardPattern(kind, { unanchored: false }))}`);
  if (status) conditions.push(`status = $${values.push(status)}::agent_status`);
  if (words.length > 0) conditions.push(hasWords(['search_key'], words, (value) => `$${values.push(value)}`));
  return conditions.join(' AND ');
}

/** A page of agents by name, with the number of matches. */
export async function listAgentPage(
  identityId: string,
  filter: AgentFilter,
  { limit, offset, position }: PageInput,
): Promise<AgentPage> {
  const values: unknown[] = [identityId, limit, offset];
  const where = conditionsOf(filter, values);
  const after = position?.after.map((value) => `$${values.push(value)}`) ?? [];
  const behind = position ? `WHERE (name_key, id) > (${after[0]}::text, ${after[1]}::uuid)` : '';
  const found = await rows<AgentRow>(pool(), {
    isoTimes: true,
    text: `WITH matching AS MATERIALIZED (SELECT id, name_key FROM agents WHERE ${where}),
        page AS (SELECT id FROM matching ${behind} ORDER BY name_key, id LIMIT $2::bigint + 1 OFFSET $3)
      SELECT a.id, a.name, a.kind, a.role_id AS "roleId", a.status, a.avatar_url AS "avatarUrl",
        coalesce(a.persona->>'avatarEmoji', '') AS "avatarEmoji", a.name_key AS "nameKey", a.created_at AS "createdAt",
        a.updated_at AS "updatedAt", activity.*, a.mail_domain AS "mailDomain", (SELECT count(*) FROM matching)::float8 AS total
      FROM page JOIN agents a ON a.identity_id = $1 AND a.id = page.id
      ${joinActivity('$1', 'a.id::text')}
      ORDER BY a.name_key, a.id`,
    values,
  });
  const total = found[0]?.total ?? (offset === 0 && !position ? 0 : await countAgents(identityId, filter));
  return { page: found.slice(0, limit), matches: total, hasMore: found.length > limit };
}

/** The total if the offset is beyond the last match, so that no row carries it. */
async function countAgents(identityId: string, filter: AgentFilter): Promise<number> {
  const values: unknown[] = [identityId];
  const where = conditionsOf(filter, values);
  const [row] = await rows<{ total: number }>(pool(), {
    text: `SELECT count(*)::float8 AS total FROM agents WHERE ${where}`,
    values,
  });
  return row?.total ?? 0;
}
