import { outboxMails } from '@/server/features/outbox/outbox.sql';
import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { nextCursorOf, positionOf } from '@/server/platform/list-cursor';
import { sentBy } from './message.queries';
import type { ListScheduledInput, ScheduledEmail, ScheduledEmailList } from './scheduled.schema';

type ScheduledRow = Omit<ScheduledEmail, 'from'> & { fromEmail: string; fromName: string | null };

const scheduled = `${outboxMails} o WHERE o.identity_id = $1 AND o.state = 'queued' AND o.send_at > now()`;

/** `GET /scheduled-emails`: emails of the business that are sent later, the next one first. */
export async function listScheduled({ identityId }: IdentityActor, input: ListScheduledInput): Promise<ScheduledEmailList> {
  const { limit } = input;
  const key = ['scheduled-emails', identityId];
  const position = positionOf(key, input);
  const behind = position ? ' AND (o.send_at, o.message_id) > ($4::timestamptz, $5::uuid)' : '';
  const found = await rows<ScheduledRow>(pool(), {
    name: `scheduled-emails${position ? '-behind' : ''}`,
    isoTimes: true,
    text: `SELECT m.id, m.conversation_id AS "conversationId", m.identity_id AS "identityId", m.from_email AS "fromEmail",
        m.from_name AS "fromName", m."to", m.cc, m.bcc, m.subject, m.preview, m.agent_id AS "agentId", ${sentBy} AS "sentBy",
        m.attachment_count AS "attachmentCount", page.send_at AS "sendAt", page.cancel_if_reply AS "cancelIfReply", m.created_at AS "createdAt"
      FROM (SELECT o.message_id, o.send_at, o.cancel_if_reply FROM ${scheduled}${behind} ORDER BY o.send_at, o.message_id LIMIT $2 OFFSET $3) page
      JOIN messages m ON m.identity_id = $1 AND m.id = page.message_id ORDER BY page.send_at, page.message_id`,
    values: [identityId, limit + 1, position ? 0 : input.offset, ...(position ? position.after : [])],
  });
  const total = position?.matches ?? (await countScheduled(identityId));
  const page = found
    .slice(0, limit)
    .map(({ fromEmail: email, fromName: displayName, ...row }) => ({ ...row, from: { email, displayName } }));
  const hasMore = found.length > limit;
  const offset = position?.before ?? input.offset;
  const nextCursor = nextCursorOf(key, { page, matches: total, hasMore }, ({ sendAt }) => sendAt, offset);
  return { emails: page, total, limit, offset, hasMore, nextCursor };
}

async function countScheduled(identityId: string): Promise<number> {
  const [row] = await rows<{ count: number }>(pool(), {
    name: 'scheduled-emails-count',
    text: `SELECT count(*)::int AS count FROM ${scheduled}`,
    values: [identityId],
  });
  return row?.count ?? 0;
}
