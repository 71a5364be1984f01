import { type Queryable, rows } from '@/server/platform/db/sql';

/** A task that agents reported on a conversation. */
export interface ReportedTask {
  id: string;
  title: string;
  /** Of its latest execution. */
  status: string;
  agentId: string | null;
  dueAt: string | null;
}

const tasksShown = 100;

/**
 * The tasks of tracked executions on a conversation, latest first. `title` and `dueAt` come from an execution's metadata; the
 * default title is its operation.
 *
 * @param conversationIds the conversation's id and those that were merged into it
 */
export function tasksOfConversation(
  db: Queryable,
  identityId: string,
  conversationIds: readonly string[],
): Promise<ReportedTask[]> {
  return rows<ReportedTask>(db, {
    name: 'conversation-tasks',
    text: `SELECT id, title, status, "agentId", "dueAt" FROM (
        SELECT DISTINCT ON (task_id) task_id AS id, status, agent_id AS "agentId", record,
          coalesce(title, operation, task_id) AS title,
          CASE WHEN due ~ '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z$' THEN due END AS "dueAt"
        FROM (
          SELECT id AS record, task_id, coalesce(status, '') AS status, agent_id, operation,
            nullif(metadata->>'title', '') AS title, metadata->>'dueAt' AS due
          FROM usage_records
          WHERE identity_id = $1 AND conversation_id = ANY($2) AND task_id IS NOT NULL AND conversation_id IS NOT NULL
          ORDER BY id DESC LIMIT 1000
        ) records
        ORDER BY task_id, record DESC
      ) tasks ORDER BY record DESC LIMIT ${tasksShown}`,
    values: [identityId, conversationIds],
  });
}
