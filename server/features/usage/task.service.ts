import * as z from 'zod';
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

/** In characters; a longer title is cut. */
const titleMaximum = 500;

/** What agents say of a task. Megabytes of it, which usage may have, are not looked into: a conversation is read with each of its changes. */
const metadata = 'CASE WHEN pg_column_size(shown.metadata) <= 65536 THEN shown.metadata END';

/**
 * The tasks of tracked executions on several conversations, latest first; in one statement. `title` and `dueAt` come from an
 * execution's metadata; the default title is its operation.
 *
 * @param conversations each with its id and those that were merged into it
 */
export async function tasksOfConversations(
  db: Queryable,
  identityId: string,
  conversations: readonly { id: string; ids: readonly string[] }[],
): Promise<Map<string, ReportedTask[]>> {
  const found = await rows<ReportedTask & { conversation: string }>(db, {
    name: 'conversation-tasks',
    text: `SELECT given.id AS conversation, shown.id, shown.status, shown."agentId",
        coalesce(nullif(left((${metadata})->>'title', ${titleMaximum}), ''), shown.operation, shown.id) AS title, left((${metadata})->>'dueAt', 30) AS "dueAt"
      FROM jsonb_to_recordset($2::jsonb) AS given(id text, ids text[]) CROSS JOIN LATERAL (
        SELECT * FROM (
          SELECT DISTINCT ON (task_id) task_id AS id, status, agent_id AS "agentId", record, operation, metadata
          FROM (
            SELECT id AS record, task_id, coalesce(status, '') AS status, agent_id, operation, metadata
            FROM usage_records
            WHERE identity_id = $1 AND conversation_id = ANY(given.ids) AND task_id IS NOT NULL AND conversation_id IS NOT NULL
            ORDER BY id DESC LIMIT 1000
          ) records
          ORDER BY task_id, record DESC
        ) tasks ORDER BY record DESC LIMIT ${tasksShown}
      ) shown ORDER BY given.id, shown.record DESC`,
    values: [identityId, JSON.stringify(conversations)],
  });
  const byConversation = new Map<string, ReportedTask[]>(conversations.map(({ id }) => [id, []]));
  for (const { conversation, dueAt, ...task } of found) {
    byConversation.get(conversation)?.push({ ...task, dueAt: z.iso.datetime().safeParse(dueAt).success ? dueAt : null });
  }
  return byConversation;
}
