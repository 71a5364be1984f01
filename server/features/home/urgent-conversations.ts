import { conversationCounts, conversations, messages } from '@/server/features/conversations/conversation.sql';
import { outboxMails } from '@/server/features/outbox/outbox.sql';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import type { ConversationStatus } from '../conversations/conversation.schema';
import { countingLimit, type Home } from './home.schema';

/** Rows on Home; the counts link to the rest. */
const shown = 6;
/** Failed ones come first, but leave room for waiting ones. */
const failedShown = 2;

interface Row {
  waiting: number;
  failed: number;
  open: number;
  /** All null if there is no conversation to show. */
  id: string | null;
  subject: string;
  status: ConversationStatus;
  is_read: boolean;
  last_message_at: string;
  counterpart_email: string;
  counterpart_name: string | null;
}

const columns = 'id, subject, status, is_read, last_message_at, counterpart_email, counterpart_name';

/** The newest conversations of the inbox with a status, queried only if the maintained counts have any. */
const newestOf = (status: 'failed' | 'waiting_human' | 'pending', counted: string, limit: number) =>
  `SELECT ${columns} FROM ${conversations} conversations WHERE identity_id = $1 AND status = '${status}' AND NOT is_archived AND NOT is_spam AND NOT is_trashed
    AND (SELECT ${counted} FROM counts) > 0 ORDER BY last_message_at DESC, id DESC LIMIT ${limit}`;

const text = `WITH counts AS (
    SELECT coalesce(sum(conversations) FILTER (WHERE status = 'waiting_human'), 0) AS waiting,
      coalesce(sum(conversations) FILTER (WHERE status = 'failed'), 0) AS failed,
      coalesce(sum(conversations) FILTER (WHERE status = 'pending'), 0) AS open,
      coalesce(sum(conversations) FILTER (WHERE NOT is_read), 0) AS unread
    FROM ${conversationCounts} conversation_counts WHERE identity_id = $1 AND NOT is_archived AND NOT is_spam AND NOT is_trashed
  ), urgent AS (
    SELECT 1 AS place, 0 AS age, * FROM (${newestOf('failed', 'failed', failedShown)}) f
    UNION ALL
    SELECT 2, extract(epoch FROM last_message_at), * FROM (${newestOf('waiting_human', 'waiting', countingLimit)}) w
    UNION ALL
    SELECT 3, 0, * FROM (
      (${newestOf('pending', 'open', shown)})
      UNION
      (SELECT ${columns} FROM ${conversations} conversations WHERE identity_id = $1 AND NOT is_read AND NOT is_archived AND NOT is_spam AND NOT is_trashed
        AND status NOT IN ('failed', 'waiting_human') AND (SELECT unread FROM counts) > 0
      ORDER BY last_message_at DESC, id DESC LIMIT ${shown})
    ) u
  )
  SELECT least(counts.waiting, ${countingLimit})::int AS waiting, least(counts.failed, ${countingLimit})::int AS failed,
    least(counts.open, ${countingLimit})::int AS open, c.*
  FROM counts LEFT JOIN LATERAL (
    SELECT * FROM urgent ORDER BY place, age, last_message_at DESC, id DESC LIMIT ${shown}
  ) c ON true
  ORDER BY c.place, c.age, c.last_message_at DESC, c.id DESC`;

/**
 * Conversations of the inbox that need attention: their number, and the most urgent. Reading one changes nothing: it leaves by being
 * answered, done or archived. Those that wait for a person are sorted by waiting time, among the newest hundred: older ones are no
 * longer urgent.
 */
export async function readConversations(identityId: string): Promise<Home['conversations']> {
  const found = await rows<Row>(pool(), { name: 'home-conversations', isoTimes: true, text, values: [identityId] });
  const { waiting = 0, failed = 0, open = 0 } = found[0] ?? {};
  return {
    waiting,
    failed,
    open,
    urgent: found.flatMap(({ id, ...row }) =>
      id === null
        ? []
        : {
            id,
            subject: row.subject,
            status: row.status,
            isRead: row.is_read,
            lastMessageAt: row.last_message_at,
            counterpart: { email: row.counterpart_email, displayName: row.counterpart_name },
          },
    ),
  };
}

/** Mails that were not sent, apart from replies of failed conversations of the inbox: these are counted as conversations. */
export async function countFailedMails(identityId: string): Promise<number> {
  const [found] = await rows<{ count: number }>(pool(), {
    name: 'home-failed-mails',
    text: `SELECT count(*)::int AS count FROM (
        SELECT 1 FROM ${outboxMails} o WHERE o.identity_id = $1 AND o.state = 'failed' AND NOT EXISTS (
          SELECT 1 FROM ${messages} m JOIN ${conversations} c ON c.identity_id = $1 AND c.id = m.conversation_id
          WHERE m.identity_id = $1 AND m.id = o.message_id AND c.status = 'failed' AND NOT c.is_archived AND NOT c.is_spam AND NOT c.is_trashed
        ) LIMIT ${countingLimit}
      ) x`,
    values: [identityId],
  });
  return found?.count ?? 0;
}
