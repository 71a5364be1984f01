import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';
import type { Statement } from '@/server/platform/db/sql';
import { type ExecutionOutcome, minutesSavedBy, outcomeOf } from './execution-outcome';
import type { TrackInput } from './usage.schema';

/** Namespace of the UUIDv5 ids of slices, which are only compared with each other. */
const sliceNamespace = '9f7c1c52-6f1b-4a53-9d5e-2f6c0c7a3b11';

function totalOf({ promptTokens, completionTokens, totalTokens }: TrackInput): number {
  return totalTokens ?? (promptTokens ?? 0) + (completionTokens ?? 0);
}

/** A record with its id, ready to be written. */
export interface SerializedRecord {
  id: string;
  eventId: string | undefined;
  isExecution: boolean;
  tokens: number;
  /** Its columns. */
  json: string;
}

/** Prepares a record for `recordUsage`. Agent ids are lower-cased, so that they compare as UUIDs do. */
export function serializeRecord(record: TrackInput): SerializedRecord {
  const isExecution = record.type === 'agent_execution';
  const agentId = record.agentId?.toLowerCase();
  const row = {
    id: uuidv7(),
    type: record.type,
    event_id: record.eventId,
    prompt_tokens: isExecution ? undefined : record.promptTokens,
    completion_tokens: isExecution ? undefined : record.completionTokens,
    total_tokens: isExecution ? undefined : totalOf(record),
    model: record.model,
    provider: record.provider,
    usage_type: record.usageType,
    operation: record.operation,
    agent_id: agentId,
    conversation_id: record.conversationId,
    task_id: record.taskId,
    message_id: record.messageId,
    status: record.status,
    outcome: isExecution ? outcomeOf(record.status ?? '') : undefined,
    minutes_saved: isExecution ? minutesSavedBy(record) : 0,
    slice: uuidv5(JSON.stringify([agentId ?? '', record.model ?? '', record.operation ?? '']), sliceNamespace),
    result: record.result,
    metadata: record.metadata,
  };
  return { id: row.id, eventId: row.event_id, isExecution, tokens: row.total_tokens ?? 0, json: JSON.stringify(row) };
}

/** A table whose sums are spread over several rows (see UsageMonth in the Prisma schema). */
interface SumTable {
  name: string;
  /** The added values: a relation with the columns `key`, `carried` and `values`. */
  from: string;
  key: string[];
  /** Columns that only new rows get. */
  carried: string[];
  values: string[];
}

/** Adds sums to a row that no other transaction has locked, or to a new one, so that requests do not wait for each other. */
function addTo({ name, from, key, carried, values }: SumTable): string {
  const isSame = key.map((column) => `t.${column} = d.${column}`).join(' AND ');
  const columns = [...key, ...carried, ...values].join(', ');
  const raise = (column: string) =>
    column === 'last_active_at' ? `${column} = greatest(t.${column}, d.${column})` : `${column} = t.${column} + d.${column}`;
  return `${name}_free AS MATERIALIZED (
      SELECT d.*, free.shard FROM ${from} d LEFT JOIN LATERAL (
        SELECT t.shard FROM ${name} t WHERE t.identity_id = $1 AND ${isSame} LIMIT 1 FOR UPDATE SKIP LOCKED
      ) free ON true
    ), ${name}_raised AS (
      UPDATE ${name} t SET ${values.map(raise).join(', ')}
      FROM ${name}_free d WHERE t.identity_id = $1 AND ${isSame} AND t.shard = d.shard
    ), ${name}_added AS (
      INSERT INTO ${name} (identity_id, shard, ${columns})
      SELECT $1, gen_random_uuid(), ${columns} FROM ${name}_free WHERE shard IS NULL
    )`;
}

const columns = `id, type, event_id, prompt_tokens, completion_tokens, total_tokens, model, provider, usage_type, operation,
      agent_id, conversation_id, task_id, message_id, status, outcome, result, metadata`;

/** The first record of each event; the others are left out. In one order, so that requests do not block each other. */
const events = `claimed AS (
      INSERT INTO usage_events (identity_id, event_id, record_id, created_at)
      SELECT $1::uuid, event_id, id, now() FROM given WHERE event_id IS NOT NULL ORDER BY event_id, ordinality
      ON CONFLICT (identity_id, event_id) DO NOTHING RETURNING record_id
    ), `;

/** Number of tasks that reached an outcome, minus those that left it. */
function arrivals(...outcomes: ExecutionOutcome[]): string {
  const list = outcomes.map((outcome) => `'${outcome}'`).join(', ');
  return `count(*) FILTER (WHERE outcome IN (${list})) - count(*) FILTER (WHERE previous_outcome IN (${list}))`;
}

const records = (claimsEvents: boolean) => `WITH given AS MATERIALIZED (
      SELECT * FROM ROWS FROM (jsonb_to_recordset($2::jsonb) AS (
        id uuid, type usage_type, event_id text, prompt_tokens bigint, completion_tokens bigint, total_tokens bigint, model text,
        provider text, usage_type text, operation text, agent_id text, conversation_id text, task_id text, message_id text,
        status text, outcome execution_outcome, minutes_saved float8, slice uuid, result jsonb, metadata jsonb)) WITH ORDINALITY
    ), ${claimsEvents ? events : ''}inserted AS (
      INSERT INTO usage_records (identity_id, created_at, ${columns})
      SELECT $1::uuid, now(), ${columns} FROM given ${claimsEvents ? 'WHERE event_id IS NULL OR id IN (SELECT record_id FROM claimed)' : ''}
      RETURNING id, created_at
    ), counted AS MATERIALIZED (
      SELECT g.*, i.created_at, (i.created_at AT TIME ZONE 'UTC')::date AS day
      FROM given g JOIN inserted i USING (id)
    ), month_sums AS (
      SELECT date_trunc('month', day)::date AS month, coalesce(sum(total_tokens), 0) AS tokens, count(outcome) AS executions
      FROM counted GROUP BY 1
    ), ${addTo({
      name: 'usage_months',
      from: 'month_sums',
      key: ['month'],
      carried: [],
      values: ['tokens', 'executions'],
    })}, day_sums AS (
      SELECT day, slice, min(coalesce(agent_id, '')) AS agent_id, min(coalesce(model, '')) AS model,
        min(coalesce(operation, '')) AS operation, coalesce(sum(total_tokens), 0) AS tokens, count(outcome) AS executions
      FROM counted GROUP BY day, slice
    ), ${addTo({
      name: 'usage_days',
      from: 'day_sums',
      key: ['day', 'slice'],
      carried: ['agent_id', 'model', 'operation'],
      values: ['tokens', 'executions'],
    })}`;

/** Further effects of executions: the state of their tasks, and the sums of their agents. */
const executions = `, tasks AS (
      INSERT INTO tracked_tasks AS t (identity_id, task_id, agent_id, outcome, minutes_saved)
      SELECT DISTINCT ON (agent_id, task_id) $1::uuid, task_id, agent_id, outcome, minutes_saved
      FROM counted WHERE outcome IS NOT NULL AND task_id IS NOT NULL ORDER BY agent_id, task_id, ordinality DESC
      ON CONFLICT (identity_id, task_id, agent_id) DO UPDATE SET outcome = excluded.outcome, minutes_saved = excluded.minutes_saved, updated_at = now(),
        previous_outcome = t.outcome, previous_minutes_saved = t.minutes_saved
      RETURNING agent_id, outcome, minutes_saved, previous_outcome, coalesce(previous_minutes_saved, 0) AS previous_minutes_saved
    ), work AS (
      SELECT * FROM tasks
      UNION ALL
      SELECT agent_id, outcome, minutes_saved, NULL, 0 FROM counted
      WHERE outcome IN ('completed', 'failed', 'cancelled') AND task_id IS NULL
    ), work_sums AS (
      SELECT agent_id, ${arrivals('active', 'escalated')} AS active, ${arrivals('completed')} AS completed,
        ${arrivals('failed')} AS failed, ${arrivals('cancelled')} AS cancelled, sum(minutes_saved - previous_minutes_saved) AS minutes_saved
      FROM work GROUP BY agent_id
    ), activity_sums AS (
      SELECT c.agent_id, count(*) AS actions, count(*) FILTER (WHERE c.outcome = 'escalated') AS escalations,
        max(c.created_at) AS last_active_at, coalesce(max(w.active), 0) AS active, coalesce(max(w.completed), 0) AS completed,
        coalesce(max(w.failed), 0) AS failed, coalesce(max(w.cancelled), 0) AS cancelled, coalesce(max(w.minutes_saved), 0) AS minutes_saved
      FROM counted c LEFT JOIN work_sums w USING (agent_id) WHERE c.outcome IS NOT NULL GROUP BY c.agent_id
    ), ${addTo({
      name: 'agent_activity',
      from: 'activity_sums',
      key: ['agent_id'],
      carried: [],
      values: ['actions', 'active', 'completed', 'failed', 'cancelled', 'escalations', 'minutes_saved', 'last_active_at'],
    })}`;

const answer = ' SELECT id, created_at AS "createdAt" FROM inserted';

/**
 * Writes records and adds them to all their sums: one statement, so atomic and in one round trip. Records with a known
 * `eventId` are skipped, in the sums too. Returns the id and time of each one written.
 *
 * An execution with a task replaces the task's last one in the agent's statistics; one without counts by itself once it has
 * ended.
 */
export function recordUsage(identityId: string, rows: readonly SerializedRecord[]): Statement {
  const values = [identityId, `[${rows.map(({ json }) => json).join(',')}]`];
  // Records with tokens only are by far the most frequent, and every part of a statement has a cost, even without rows.
  const claimsEvents = rows.some(({ eventId }) => eventId !== undefined);
  const [name, once] = [
    rows.some(({ isExecution }) => isExecution) ? 'usage-records' : 'usage-tokens',
    claimsEvents ? '-once' : '',
  ];
  return { name: `${name}${once}`, text: records(claimsEvents) + (name === 'usage-records' ? executions : '') + answer, values };
}
