import {
  countingLimit,
  type FilteredList,
  type Found,
  hasTrigram,
  listFiltered,
  listRanked,
  listWhole,
  type PageInput,
} from '@/server/platform/db/filtered-list';
import { pool } from '@/server/platform/db/pool';
import { escapeLike, rows } from '@/server/platform/db/sql';
import { hasWords, type WordFilter } from '@/server/platform/db/word-search';
import { tooShortToSearch } from '@/server/platform/errors';
import { nextCursorOf, positionOf, rankedPositionOf, rankText } from '@/server/platform/list-cursor';
import { type AssigneeFilter, assigneeConditions } from './assignee';
import { type ConversationRow, conversationColumns, toConversationRecord } from './conversation.queries';
import type { ConversationList, ListConversationsInput } from './conversation.schema';
import { type SearchConditions, searchConditions } from './conversation.search';
import { isOpen } from './waiting';

/** The filter of a list, with what its assignee stands for. */
type Filter = Omit<ListConversationsInput, 'assignee'> & WordFilter & { assignee: AssigneeFilter | undefined };

interface CountedRow extends ConversationRow {
  matches: number;
  /** Of a list by relevance. */
  score?: number | null;
}

interface Conditions {
  /** Conditions that conversation_counts supports as well; a kind is a combination of them. */
  kind: string[];
  /** Further conditions that an index on the order supports. */
  range: string[];
  /** Conditions that only the rows support. */
  filter: string[];
  /** The words of a search. */
  searched: SearchConditions['words'];
  /** False if no index supports the filter. */
  isIndexed: boolean;
  values: unknown[];
}

const folderConditions: Record<NonNullable<ListConversationsInput['folder']>, readonly string[]> = {
  inbox: ['NOT c.is_archived', 'NOT c.is_spam', 'NOT c.is_trashed'],
  archived: ['c.is_archived', 'NOT c.is_spam', 'NOT c.is_trashed'],
  spam: ['c.is_spam', 'NOT c.is_trashed'],
  trash: ['c.is_trashed'],
  snoozed: ['c.is_archived', 'NOT c.is_spam', 'NOT c.is_trashed'],
};

function foldersOf({ folder, isArchived, isSpam, isTrashed }: Filter): readonly string[] {
  if (folder !== undefined) return folderConditions[folder];
  return [
    ...(isArchived ? [] : ['NOT c.is_archived']),
    ...(isSpam ? [] : ['NOT c.is_spam']),
    ...(isTrashed ? [] : ['NOT c.is_trashed']),
  ];
}

/** The texts that have an index for searching. */
const subjectAndPreview = `(c.subject || E'\\n' || c.preview)`;
const counterpart = `lower(coalesce(c.counterpart_name, '') || ' ' || c.counterpart_email)`;

/** The conditions of a filter, for the table `c`. */
function conditionsOf(identityId: string, input: Filter): Conditions {
  const values: unknown[] = [identityId];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const kind = [...foldersOf(input)];
  const [range, filter]: [string[], string[]] = [[], []];
  const searched = input.query ? searchConditions(identityId, input.query, parameter) : undefined;
  if (input.isRead !== undefined) kind.push(input.isRead ? 'c.is_read' : 'NOT c.is_read');
  if (input.status !== undefined) kind.push(`c.status = ${parameter(input.status)}::conversation_status`);
  if (input.sort === 'waiting') range.push('c.waiting_since IS NOT NULL', isOpen);
  if (input.folder === 'snoozed') range.push('c.snoozed_until IS NOT NULL');
  // Others than e-mail are rare and have an index; a condition on e-mail would leave nearly nothing out.
  if (input.channel === 'email') range.push(`c.channel = 'email'`);
  else if (input.channel !== undefined) range.push(`c.channel <> 'email'`, `c.channel = ${parameter(input.channel)}`);
  if (input.assignee !== undefined) range.push(...assigneeConditions(input.assignee, parameter));
  if (input.lastMessageAfter !== undefined) range.push(`c.last_message_at > ${parameter(input.lastMessageAfter)}::timestamptz`);
  if (input.agentId !== undefined) {
    filter.push(`EXISTS (SELECT 1 FROM conversation_agents a
      WHERE a.identity_id = c.identity_id AND a.agent_id = ${parameter(input.agentId)} AND a.conversation_id = c.id)`);
  }
  if (input.labelId !== undefined) {
    filter.push(`c.label_ids @> ARRAY[${parameter(input.labelId)}]::uuid[] AND c.label_ids <> '{}'`);
  }
  if (input.participant !== undefined) {
    filter.push(`EXISTS (SELECT 1 FROM conversation_participants p
      WHERE p.identity_id = $1 AND p.email = ${parameter(input.participant)} AND p.conversation_id = c.id)`);
  }
  if (input.search) {
    const pattern = parameter(`%${escapeLike(input.search)}%`);
    filter.push(`${subjectAndPreview} ILIKE ${pattern}`);
  }
  const { agentId, labelId, participant, search, words = [] } = input;
  if (words.length > 0) filter.push(hasWords([subjectAndPreview, counterpart], words, parameter));
  const isIndexed =
    agentId !== undefined ||
    labelId !== undefined ||
    participant !== undefined ||
    (search && hasTrigram(search)) ||
    words.some((word) => word.isIndexed) ||
    searched?.isIndexed === true;
  return {
    kind,
    range: [...range, ...(searched?.range ?? [])],
    filter: [...filter, ...(searched?.filter ?? [])],
    searched: searched?.words,
    isIndexed,
    values,
  };
}

/** What a row has its place by, as a part of a cursor. */
const placeOf: Record<ListConversationsInput['sort'], (row: CountedRow) => string> = {
  newest: ({ lastMessageAt }) => lastMessageAt,
  waiting: ({ waitingSince, lastMessageAt }) => waitingSince ?? lastMessageAt,
  relevance: ({ score = null, lastMessageAt }) => rankText({ score, time: lastMessageAt }),
};

/**
 * A page of conversations: the newest message, the longest wait or the best match first. The total is exact if maintained counts have it;
 * otherwise up to a thousand.
 *
 * @throws AppError invalid_request for a search too short for a long list
 */
export async function listConversationPage(identityId: string, input: Filter): Promise<ConversationList> {
  const { limit, cursor: _cursor, offset: _offset, ...filter } = input;
  const key = ['conversations', identityId, filter];
  const conditions = conditionsOf(identityId, input);
  // Without words, all match equally well.
  const order = input.sort === 'relevance' && !conditions.searched ? 'newest' : input.sort;
  const position = positionOf(key, input, order === 'relevance' ? 'rank' : 'time');
  const isCounted = conditions.range.length === 0 && conditions.filter.length === 0 && !conditions.searched;
  const wanted = { limit, offset: input.offset, position };
  const found = isCounted ? await countedPage(conditions, wanted) : await filteredPage(conditions, order, wanted);
  if (!found) throw tooShortToSearch(input.search ? 'search' : 'query');
  const { page, matches, hasMore } = found;
  const totalIsExact = isCounted || matches <= countingLimit;
  const offset = position?.before ?? input.offset;
  return {
    conversations: page.map(toConversationRecord),
    // At least the rows seen plus one, for clients that page until the total is reached.
    total: totalIsExact ? matches : Math.max(countingLimit, offset + page.length + (hasMore ? 1 : 0)),
    totalIsExact,
    limit,
    offset,
    hasMore,
    nextCursor: nextCursorOf(key, found, placeOf[order], offset),
  };
}

async function filteredPage(
  conditions: Conditions,
  order: ListConversationsInput['sort'],
  { position, ...page }: PageInput,
): Promise<Found<CountedRow> | undefined> {
  const list = listOf(conditions, order === 'waiting');
  if (order !== 'relevance' || !conditions.searched) return listFiltered<CountedRow>(list, { ...page, position });
  return listRanked<CountedRow>(
    { ...list, score: conditions.searched.score },
    { ...page, position: position && rankedPositionOf(position) },
  );
}

function scopeOf({ kind, range }: Conditions): string {
  return ['c.identity_id = $1', ...kind, ...range].join(' AND ');
}

function countOf({ kind }: Conditions): string {
  return `SELECT coalesce(sum(c.conversations), 0)::float8 FROM conversation_counts c WHERE ${['c.identity_id = $1', ...kind].join(' AND ')}`;
}

/** One index range scan, and the maintained count. */
async function countedPage(conditions: Conditions, page: PageInput): Promise<Found<CountedRow>> {
  const { values } = conditions;
  const select = `SELECT ${conversationColumns}, (${countOf(conditions)}) AS matches FROM conversations c WHERE ${scopeOf(conditions)}`;
  const found = await listWhole<CountedRow>({ alias: 'c', time: 'last_message_at', select, values }, page);
  return { ...found, matches: found.page[0]?.matches ?? (await countAll(conditions)) };
}

/** The number of matches if the offset is beyond the last one, so that no row carries it. */
async function countAll(conditions: Conditions): Promise<number> {
  const [row] = await rows<{ matches: number }>(pool(), {
    text: `SELECT (${countOf(conditions)}) AS matches`,
    values: conditions.values,
  });
  return row?.matches ?? 0;
}

function listOf(conditions: Conditions, isByWait: boolean): FilteredList {
  const { searched } = conditions;
  const others = conditions.filter.join(' AND ') || 'true';
  const filter = searched ? `${others} AND ${searched.condition}` : others;
  return {
    table: 'conversations',
    alias: 'c',
    ...(isByWait ? { time: 'waiting_since', isOldestFirst: true } : { time: 'last_message_at' }),
    columns: conversationColumns,
    scope: scopeOf(conditions),
    filter,
    lookUp: searched && { ids: searched.ids, filter: others },
    isIndexed: conditions.isIndexed || filter === 'true',
    size: countOf(conditions),
    values: conditions.values,
  };
}
