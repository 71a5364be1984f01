import { pool } from '@/server/platform/db/pool';
import { escapeLike, rows } from '@/server/platform/db/sql';
import { type ConversationRow, conversationColumns, toConversationRecord } from './conversation.queries';
import type { ConversationList, ListConversationsInput } from './conversation.schema';

/**
 * Matches of a filter without a maintained count are counted up to this number: nobody pages further, and an exact count would
 * slow the search down.
 */
const countingLimit = 1_000;

interface CountedRow extends ConversationRow {
  matches: number;
}

interface Conditions {
  /** Conditions that conversation_counts supports as well; a kind is a combination of them. */
  kind: string[];
  /** Conditions that only the rows support. */
  other: string[];
}

const folderConditions: Record<NonNullable<ListConversationsInput['folder']>, string[]> = {
  inbox: ['NOT c.is_archived', 'NOT c.is_spam'],
  archived: ['c.is_archived', 'NOT c.is_spam'],
  spam: ['c.is_spam'],
};

function foldersOf({ folder, isArchived, isSpam }: ListConversationsInput): string[] {
  if (folder !== undefined) return folderConditions[folder];
  return [...(isArchived ? [] : ['NOT c.is_archived']), ...(isSpam ? [] : ['NOT c.is_spam'])];
}

/** The conditions of a filter, for the table `c`; values are appended to `values`. */
function conditionsOf(input: ListConversationsInput, values: unknown[]): Conditions {
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const kind: string[] = [];
  const other: string[] = [];
  kind.push(...foldersOf(input));
  if (input.isRead !== undefined) kind.push(input.isRead ? 'c.is_read' : 'NOT c.is_read');
  if (input.status !== undefined) kind.push(`c.status = ${parameter(input.status)}::conversation_status`);
  if (input.channel !== undefined) other.push(`c.channel = ${parameter(input.channel)}`);
  if (input.lastMessageAfter !== undefined) other.push(`c.last_message_at > ${parameter(input.lastMessageAfter)}::timestamptz`);
  if (input.agentId !== undefined) {
    other.push(`EXISTS (SELECT 1 FROM conversation_agents a
      WHERE a.identity_id = c.identity_id AND a.agent_id = ${parameter(input.agentId)} AND a.conversation_id = c.id)`);
  }
  if (input.participant !== undefined) {
    other.push(`c.id IN (SELECT p.conversation_id FROM conversation_participants p
      WHERE p.identity_id = $1 AND p.email = ${parameter(input.participant)})`);
  }
  if (input.search) {
    const pattern = parameter(`%${escapeLike(input.search)}%`);
    other.push(`(c.subject || E'\\n' || c.preview) ILIKE ${pattern}`);
  }
  if (input.query) {
    const pattern = parameter(`%${escapeLike(input.query)}%`);
    other.push(`((c.subject || E'\\n' || c.preview) ILIKE ${pattern}
      OR lower(coalesce(c.counterpart_name, '') || ' ' || c.counterpart_email) LIKE lower(${pattern}))`);
  }
  return { kind, other };
}

/**
 * A page of conversations, newest message first. The total is exact if maintained counts have it; otherwise up to a thousand.
 *
 * Not named statements: the best index depends on the values (see customer.list.ts).
 */
export async function listConversationPage(identityId: string, input: ListConversationsInput): Promise<ConversationList> {
  const { limit, offset } = input;
  const isCounted = (conditions: Conditions) => conditions.other.length === 0;
  const values: unknown[] = [identityId, limit, offset];
  const conditions = conditionsOf(input, values);
  const found = isCounted(conditions) ? await countedPage(conditions, values) : await filteredPage(conditions, values);
  const matches = found[0]?.matches ?? (offset === 0 ? 0 : await countBeyondTheEnd(identityId, input));
  const totalIsExact = isCounted(conditions) || matches <= countingLimit;
  const hasMore = offset + found.length < matches;
  return {
    conversations: found.map(toConversationRecord),
    // At least the rows seen plus one, for clients that page until the total is reached.
    total: totalIsExact ? matches : Math.max(countingLimit, offset + found.length + (hasMore ? 1 : 0)),
    totalIsExact,
    limit,
    offset,
    hasMore,
  };
}

function whereClause({ kind, other }: Conditions): string {
  return ['c.identity_id = $1', ...kind, ...other].join(' AND ');
}

function countOf({ kind }: Conditions): string {
  return `SELECT coalesce(sum(c.conversations), 0)::float8 FROM conversation_counts c WHERE ${['c.identity_id = $1', ...kind].join(' AND ')}`;
}

/** One index range scan, and the maintained count. */
function countedPage(conditions: Conditions, values: unknown[]): Promise<CountedRow[]> {
  return rows<CountedRow>(pool(), {
    isoTimes: true,
    text: `SELECT ${conversationColumns}, (${countOf(conditions)}) AS matches FROM conversations c
      WHERE ${whereClause(conditions)} ORDER BY c.last_message_at DESC, c.id DESC LIMIT $2 OFFSET $3`,
    values,
  });
}

function filteredPage(conditions: Conditions, values: unknown[]): Promise<CountedRow[]> {
  return rows<CountedRow>(pool(), {
    isoTimes: true,
    text: `SELECT ${conversationColumns}, (count(*) OVER ())::float8 AS matches FROM (
        SELECT * FROM conversations c WHERE ${whereClause(conditions)}
        ORDER BY c.last_message_at DESC, c.id DESC LIMIT greatest($2::bigint + $3::bigint, ${countingLimit}) + 1
      ) c
      ORDER BY c.last_message_at DESC, c.id DESC LIMIT $2 OFFSET $3`,
    values,
  });
}

/** The number of matches if the offset is beyond the last one, so that no row carries it. */
async function countBeyondTheEnd(identityId: string, input: ListConversationsInput): Promise<number> {
  const values: unknown[] = [identityId];
  const conditions = conditionsOf(input, values);
  const text =
    conditions.other.length === 0
      ? `SELECT (${countOf(conditions)}) AS matches`
      : `SELECT count(*)::float8 AS matches FROM (SELECT 1 FROM conversations c WHERE ${whereClause(conditions)} LIMIT ${countingLimit + 1}) c`;
  const [row] = await rows<{ matches: number }>(pool(), { text, values });
  return row?.matches ?? 0;
}
