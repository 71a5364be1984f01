import { agents } from '@/server/features/agents/agent.sql';
import { externalContacts } from '@/server/features/customers/customer.sql';
import type { SessionActor } from '@/server/platform/actor';
import { apiKeys, userName, users } from '@/server/platform/auth/accounts.sql';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import type { PrismaTransaction } from '@/server/platform/db/transaction';
import { hasWords, wordsOf } from '@/server/platform/db/word-search';
import { env } from '@/server/platform/env';
import type { AuditChange, AuditEntry, AuditList, ListAuditInput } from './audit.schema';

/** Reads the audit log. Only triggers write it (docs/adr/0011). */

interface EntryRow extends Omit<AuditEntry, 'author' | 'agent' | 'changes'> {
  authorKind: AuditEntry['author']['kind'];
  authorId: string | null;
  authorName: string | null;
  keyAgentId: string | null;
  keyAgentName: string | null;
  agentId: string | null;
  agentName: string | null;
  before: Record<string, AuditChange['before']> | null;
  after: Record<string, AuditChange['after']> | null;
}

/** Entries scanned for one page: a filter with few matches takes several pages rather than a slow query. */
const scannedPerPage = 20_000;

/** A key never changes its agent, so the log only has the key. */
const isAgentsKey = `EXISTS (SELECT 1 FROM ${apiKeys} k WHERE k.identity_id = $1 AND k.id = e.author_id AND k.agent_id IS NOT NULL)`;

/** The display name of a customer without a company: its first contact. Null for a deleted customer. */
const contactsName = `coalesce((
  SELECT coalesce(nullif(btrim(c.display_name), ''), c.email) FROM ${externalContacts} c
  WHERE c.identity_id = $1 AND c.customer_id = e.resource_id::uuid ORDER BY c.is_primary DESC, c.link_order LIMIT 1), '')`;

/** The name of the account that a membership is of; empty if it no longer exists. */
const memberName = `coalesce((SELECT ${userName} FROM ${users} u WHERE u.id = e.resource_id::uuid), '')`;

const recordName = `CASE WHEN e.resource = 'customer' AND e.label = '' THEN ${contactsName}
  WHEN e.resource = 'membership' THEN ${memberName} ELSE e.label END`;

/** Whether the label is the name that the page shows: that of a session is a User-Agent, that of a blog a language code. */
const hasName = `e.resource NOT IN ('session', 'blog')`;

/** Conditions that refer to the parameters they add. */
function conditionsOf(input: ListAuditInput): { conditions: string[]; values: unknown[] } {
  const conditions: string[] = [];
  const values: unknown[] = [];
  const parameter = (value: unknown) => `$${values.push(value) + 6}`;
  const add = (text: (parameter: string) => string, value: unknown) => {
    if (value !== undefined) conditions.push(text(parameter(value)));
  };
  const isOfRequest = (p: string) => `e.request_id = ${p} OR e.client_request_id = ${p}`;
  add((p) => `e.action = ${p}`, input.action);
  add((p) => `(e.author_kind = 'key' AND e.author_id = ${p}::uuid)`, input.apiKeyId);
  add((p) => `(${isOfRequest(p)})`, input.requestId);
  if (input.search !== undefined) {
    const hasAllWords = hasWords(['n.name'], wordsOf(input.search), parameter);
    // OFFSET keeps the planner from writing the name, which may be a query, once for each word.
    const isNamed = `${hasName} AND (SELECT ${hasAllWords} FROM (SELECT ${recordName} AS name OFFSET 0) n)`;
    add((p) => `(${isOfRequest(p)} OR (${isNamed}))`, input.search);
  }
  add((p) => `e.occurred_at >= ${p}::timestamptz`, input.from);
  add((p) => `e.occurred_at < ${p}::timestamptz`, input.to);
  if (input.author === 'agent') conditions.push(`(e.agent_id IS NOT NULL OR (e.author_kind = 'key' AND ${isAgentsKey}))`);
  else add((p) => `e.author_kind = ${p}`, input.author);
  return { conditions, values };
}

/** Whether the log contains a session of this account. */
export async function hasSessionEntry(tx: PrismaTransaction, userId: string): Promise<boolean> {
  return (await tx.accountAuditEntry.findFirst({ where: { userId, resource: 'session' }, select: { id: true } })) !== null;
}

/** How many entries were scanned, and the last of them; in each row. */
interface Searched {
  lastSearched: string | null;
  searched: number;
}

const businessColumns = `id, identity_id, occurred_at, author_kind, author_id, cause, agent_id, request_id, client_request_id, resource,
  resource_id, parent_id, label, action, before, after`;
const accountColumns = businessColumns.replace('identity_id', 'NULL::uuid AS identity_id');

/**
 * The newest entries of both logs, from which conditions choose. Those of a record are found by its id, as are those of its parts; others
 * at most by their kind.
 */
function searchedEntries(input: ListAuditInput, limit: number, record: string): string {
  const from = (columns: string, table: string, condition: string) =>
    `(SELECT ${columns} FROM ${table} WHERE ${condition} AND id < $3 ${input.resource ? 'AND resource = $5' : ''} ORDER BY id DESC LIMIT ${limit})`;
  const parts =
    input.resourceId === undefined
      ? ['']
      : [` AND resource_id = ${record}`, ` AND parent_id = ${record} AND resource_id <> ${record}`];
  return parts
    .flatMap((part) => [
      from(businessColumns, 'audit_entries', `identity_id = $1${part}`),
      from(accountColumns, 'account_audit_entries', `user_id = $2${part}`),
    ])
    .join(' UNION ALL ');
}

/** The log of an identity and of the reader's own account, newest first, paged. */
export async function listAudit(actor: SessionActor & { identityId: string }, input: ListAuditInput): Promise<AuditList> {
  const { conditions, values } = conditionsOf(input);
  const searched = conditions.length > 0 ? scannedPerPage : input.limit + 1;
  const found = await rows<EntryRow & Searched>(pool(), {
    isoTimes: true,
    text: `WITH searched AS (
        SELECT * FROM (${searchedEntries(input, searched, '$6')}) both_logs ORDER BY id DESC LIMIT ${searched}
      ), page AS (
        SELECT e.* FROM searched e WHERE $5::text IS NOT DISTINCT FROM $5 AND $6::text IS NOT DISTINCT FROM $6 ${conditions.map((condition) => `AND ${condition}`).join(' ')}
        ORDER BY e.id DESC LIMIT $4
      )
      SELECT e.id::text, e.occurred_at AS "occurredAt", e.author_kind AS "authorKind", e.author_id AS "authorId",
        e.agent_id AS "agentId", a.name AS "agentName",
        k.agent_id AS "keyAgentId", ka.name AS "keyAgentName",
        CASE e.author_kind WHEN 'owner' THEN ${userName} WHEN 'key' THEN k.name ELSE e.cause END AS "authorName",
        e.request_id AS "requestId", e.client_request_id AS "clientRequestId", e.resource, e.resource_id AS "resourceId", e.parent_id AS "parentId", e.action,
        ${recordName} AS label, e.before, e.after, s.last_searched::text AS "lastSearched", s.searched
      FROM (SELECT min(id) AS last_searched, count(*)::int AS searched FROM searched) s
      LEFT JOIN page e ON true
      LEFT JOIN ${users} u ON e.author_kind = 'owner' AND u.id = e.author_id
      LEFT JOIN ${apiKeys} k ON e.author_kind = 'key' AND k.id = e.author_id AND k.identity_id = $1
      LEFT JOIN ${agents} ka ON ka.identity_id = $1 AND ka.id = k.agent_id
      LEFT JOIN ${agents} a ON a.identity_id = $1 AND a.id = e.agent_id
      ORDER BY e.id DESC`,
    values: [
      actor.identityId,
      actor.userId,
      input.before ?? '9223372036854775807',
      input.limit + 1,
      input.resource ?? null,
      input.resourceId ?? null,
      ...values,
    ],
  });
  const entries = found.filter(({ id }) => id !== null);
  const shown = entries.slice(0, input.limit);
  const last = shown.at(-1)?.id ?? null;
  const isCutShort = conditions.length > 0 && found[0]?.searched === searched;
  const next = entries.length > input.limit ? last : isCutShort ? (found[0]?.lastSearched ?? null) : null;
  return { entries: shown.map(toEntry), next, retentionDays: env().AUDIT_RETENTION_DAYS };
}

function toEntry(row: EntryRow & Searched): AuditEntry {
  const {
    authorKind: _kind,
    authorId: _id,
    authorName: _name,
    keyAgentId: _keyAgent,
    keyAgentName: _keyAgentName,
    agentId,
    agentName,
    before,
    after,
    lastSearched: _,
    searched: _searched,
    ...entry
  } = row;
  return {
    ...entry,
    author: authorOf(row),
    agent: agentId === null ? null : { id: agentId, name: agentName },
    changes: changesOf(before ?? {}, after ?? {}),
  };
}

/** The key of an agent acts as that agent. */
function authorOf({ authorKind, authorId, authorName, keyAgentId, keyAgentName }: EntryRow): AuditEntry['author'] {
  if (keyAgentId === null) return { kind: authorKind, id: authorId, name: authorName };
  return { kind: 'agent', id: keyAgentId, name: keyAgentName, key: { id: authorId ?? '', name: authorName ?? '' } };
}

function changesOf(before: NonNullable<EntryRow['before']>, after: NonNullable<EntryRow['after']>): AuditChange[] {
  const columns = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return columns.map((column) => ({
    field: column.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase()),
    before: before[column] ?? null,
    after: after[column] ?? null,
  }));
}
