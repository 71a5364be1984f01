import { agents } from '@/server/features/agents/agent.sql';
import type { IdentityActor } from '@/server/platform/actor';
import { publicUserName, users } from '@/server/platform/auth/accounts.sql';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { AppError } from '@/server/platform/errors';
import type { Assignee } from './conversation.schema';

/** A reply that another author has written meanwhile. */

interface OtherReply {
  messageId: string;
  answeredAt: string;
  /** Null for a program that acted for no agent, and for an account that is gone. */
  answeredBy: Assignee | null;
}

const answeredBy = `CASE
    WHEN m.sent_by IS NOT NULL THEN (SELECT json_build_object('type', 'member', 'id', u.id, 'name', ${publicUserName})
      FROM ${users} u WHERE u.id = m.sent_by)
    WHEN m.agent_id IS NOT NULL THEN (SELECT json_build_object('type', 'agent', 'id', a.id, 'name', a.name)
      FROM ${agents} a WHERE a.identity_id = m.identity_id AND a.id = m.agent_id)
  END`;

/** Conditions for replies of other authors; `$4` is the member or the agent who writes. Keys without an agent are all one author. */
const ofOthers = {
  member: 'm.sent_by IS DISTINCT FROM $4::uuid',
  key: '(m.sent_by IS NOT NULL OR ($4::uuid IS NOT NULL AND m.agent_id IS DISTINCT FROM $4::uuid))',
};

function authorOf(actor: IdentityActor): { kind: keyof typeof ofOthers; id: string | null } {
  if (actor.kind === 'session') return { kind: 'member', id: actor.userId };
  return { kind: 'key', id: actor.kind === 'apiKey' ? (actor.agent?.id ?? null) : null };
}

/** The newest reply of another author after this time. */
async function findOtherReply(
  db: Queryable,
  actor: IdentityActor,
  conversationId: string,
  since: string,
): Promise<OtherReply | undefined> {
  const { kind, id } = authorOf(actor);
  const [found] = await rows<OtherReply>(db, {
    name: `reply-of-another-than-${kind}`,
    isoTimes: true,
    text: `SELECT m.id AS "messageId", m.created_at AS "answeredAt", ${answeredBy} AS "answeredBy"
      FROM messages m WHERE m.identity_id = $1 AND m.conversation_id = $2 AND m.direction = 'outbound' AND m.created_at > $3::timestamptz
        AND ${ofOthers[kind]} ORDER BY m.created_at DESC, m.id DESC LIMIT 1`,
    values: [actor.identityId, conversationId, since, id],
  });
  return found;
}

/**
 * Refuses a reply if another author has answered since its author has seen the conversation.
 * The caller holds the lock of the conversation, so of several replies at the same time one is the first.
 *
 * @throws AppError conflict
 */
export async function refuseIfAnswered(
  db: Queryable,
  actor: IdentityActor,
  conversationId: string,
  since: string,
): Promise<void> {
  const other = await findOtherReply(db, actor, conversationId, since);
  if (!other) return;
  const name = other.answeredBy?.name ?? 'Someone';
  throw new AppError('conflict', `${name} answered this conversation after you opened it. Read the answer first.`, {
    details: { ...other },
  });
}
