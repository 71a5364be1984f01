import type { SystemActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';

/**
 * What notes, assignments and agents of the demo told its people was told in the past: spread over the last hours, mostly read, and not
 * mailed any more.
 */
export async function settleNotifications({ identityId }: SystemActor): Promise<void> {
  await pool().query(
    `UPDATE notifications n SET mail_due_at = NULL, push_due_at = NULL, created_at = now() - numbered.age * interval '95 minutes',
       read_at = CASE WHEN numbered.age > 2 THEN now() END
     FROM (SELECT id, row_number() OVER (PARTITION BY user_id ORDER BY id DESC) AS age FROM notifications WHERE identity_id = $1) numbered
     WHERE n.identity_id = $1 AND n.id = numbered.id`,
    [identityId],
  );
}
