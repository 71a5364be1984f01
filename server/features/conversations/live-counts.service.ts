import { calendarChanges } from '@/server/features/calendar/calendar.sql';
import { quarantinedMails } from '@/server/features/mail/mail.sql';
import { outboxMails } from '@/server/features/outbox/outbox.sql';
import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import type { LiveCounts } from './conversation.schema';

/** Counts stop here; the dashboard needs no exact number above it. */
const countingLimit = 100;

/** Versions and counts in one statement over a few rows: the dashboard polls it every few seconds. */
export async function getLiveCounts(actor: IdentityActor): Promise<LiveCounts> {
  const some = (table: string, condition: string) =>
    `(SELECT count(*)::int FROM (SELECT 1 FROM ${table} found WHERE identity_id = $1 ${condition} LIMIT ${countingLimit}) x)`;
  const [pulse] = await rows<LiveCounts>(pool(), {
    name: 'pulse',
    text: `SELECT coalesce(sum(changes), 0)::text AS version,
        (SELECT coalesce(sum(changes), 0)::text FROM ${calendarChanges} calendar_changes WHERE identity_id = $1) AS "calendarVersion",
        coalesce(sum(conversations) FILTER (WHERE NOT is_read AND NOT is_archived AND NOT is_spam AND NOT is_trashed), 0)::int AS unread,
        coalesce(sum(conversations) FILTER (WHERE NOT is_archived AND NOT is_spam AND NOT is_trashed), 0)::int AS inbox,
        coalesce(sum(conversations) FILTER (WHERE is_archived AND NOT is_spam AND NOT is_trashed), 0)::int AS archived,
        coalesce(sum(conversations) FILTER (WHERE is_spam AND NOT is_trashed), 0)::int AS spam,
        coalesce(sum(conversations) FILTER (WHERE is_trashed), 0)::int AS trash,
        ${some('conversations', 'AND snoozed_until IS NOT NULL AND NOT is_spam AND NOT is_trashed')} AS snoozed,
        ${some(outboxMails, `AND state = 'failed'`)} AS "failedMails",
        ${some(outboxMails, `AND state = 'queued'`)} AS "waitingMails",
        ${some(quarantinedMails, '')} AS quarantined
      FROM conversation_counts WHERE identity_id = $1`,
    values: [actor.identityId],
  });
  if (!pulse) throw new Error('An aggregate without groups has one row.');
  return pulse;
}
