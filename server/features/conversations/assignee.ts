import { agents } from '@/server/features/agents/agent.sql';
import type { IdentityActor } from '@/server/platform/actor';
import { memberships } from '@/server/platform/auth/accounts.sql';
import { pool } from '@/server/platform/db/pool';
import { batchOf, inBatches } from '@/server/platform/db/remove-in-batches';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { invalidFields } from '@/server/platform/errors';
import { JobKind } from '@/server/platform/jobs/job';
import type { Assignee, ListConversationsInput, UpdateConversationInput } from './conversation.schema';

/**
 * The members and agents that conversations are assigned to. An ended membership leaves its conversations assigned until a job has
 * cleared them, which may be many; meanwhile they are read as unassigned.
 */

type AssigneeId = Pick<Assignee, 'type' | 'id'>;

/** The filter by assignee, once it is known what its id belongs to. */
export type AssigneeFilter = 'none' | AssigneeId;

/** @throws AppError invalid_request for `me` by a key that is no agent's */
export async function assigneeFilterOf(
  actor: IdentityActor,
  assignee: ListConversationsInput['assignee'],
): Promise<AssigneeFilter | undefined> {
  if (assignee === undefined || assignee === 'none') return assignee;
  if (assignee !== 'me') return { type: (await isAgent(actor, assignee)) ? 'agent' : 'member', id: assignee };
  if (actor.kind === 'session') return { type: 'member', id: actor.userId };
  if (actor.kind === 'apiKey' && actor.agent) return { type: 'agent', id: actor.agent.id };
  throw invalidFields({ assignee: 'can be me only with the key of an agent' });
}

async function isAgent({ identityId }: IdentityActor, id: string): Promise<boolean> {
  const found = await rows(pool(), {
    name: 'assignee-is-agent',
    text: `SELECT 1 FROM ${agents} a WHERE a.identity_id = $1 AND a.id = $2`,
    values: [identityId, id],
  });
  return found.length > 0;
}

/** The conditions of a filter by assignee for the table `c`, each of which has an index in the order of the list. */
export function assigneeConditions(filter: AssigneeFilter, parameter: (value: unknown) => string): string[] {
  if (filter === 'none') return ['c.assignee_user_id IS NULL', 'c.assignee_agent_id IS NULL'];
  const column = filter.type === 'member' ? 'c.assignee_user_id' : 'c.assignee_agent_id';
  return [`${column} = ${parameter(filter.id)}::uuid`];
}

/** Statements that keep an assignee from being removed until the transaction ends. */
const assignable: Record<Assignee['type'], { text: string; reason: string }> = {
  member: {
    text: `SELECT 1 FROM ${memberships} m WHERE m.identity_id = $1 AND m.user_id = $2 FOR KEY SHARE`,
    reason: 'is not a member of this business',
  },
  agent: {
    text: `SELECT 1 FROM ${agents} a WHERE a.identity_id = $1 AND a.id = $2 AND a.status = 'active' FOR KEY SHARE`,
    reason: 'is not an active agent of this business',
  },
};

/**
 * The assignee that a change sets in locked conversations; undefined if it sets none, or the one that the conversation has. Runs in the
 * transaction of the change.
 *
 * @throws AppError invalid_request unless it is a member or an active agent of the identity
 */
export async function assigneeChanges(
  db: Queryable,
  identityId: string,
  stored: readonly { assignee: Assignee | null }[],
  given: UpdateConversationInput['assignee'],
): Promise<(conversation: { assignee: Assignee | null }) => AssigneeId | null | undefined> {
  if (given === undefined) return () => undefined;
  const next = given && { type: given.type, id: given.id.toLowerCase() };
  const isNew = ({ assignee }: { assignee: Assignee | null }) => assignee?.type !== next?.type || assignee?.id !== next?.id;
  if (next && stored.some(isNew)) {
    const { text, reason } = assignable[next.type];
    const found = await rows(db, { name: `assignable-${next.type}`, text, values: [identityId, next.id] });
    if (found.length === 0) throw invalidFields({ 'assignee.id': reason });
  }
  return (conversation) => (isNew(conversation) ? next : undefined);
}

/** The condition of conversations whose assignee is no member. */
const ofFormerMembers = `assignee_user_id IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM ${memberships} m WHERE m.identity_id = conversations.identity_id AND m.user_id = conversations.assignee_user_id)`;

/** Conversations per transaction: each change is in the audit log. */
const batchSize = 500;

interface MemberKey {
  identityId: string;
  userId: string;
}

/** Clears the assignee of conversations of a person who is no member any more; of all of them without a person. Repeatable. */
export async function unassignFormerMembers(member: MemberKey | null, signal?: AbortSignal): Promise<void> {
  const condition = member ? `identity_id = $1 AND assignee_user_id = $2 AND ${ofFormerMembers}` : ofFormerMembers;
  await inBatches(
    async (client, size) => {
      const { rowCount } = await client.query(
        `UPDATE conversations SET assignee_user_id = NULL, updated_at = now() WHERE ${batchOf('conversations', condition, size)}`,
        member ? [member.identityId, member.userId] : [],
      );
      return rowCount ?? 0;
    },
    { batchSize, signal },
  );
}

/** Scheduled by the trigger `memberships_unassigned`. */
export const unassignMember = new JobKind<MemberKey>('unassign-member').handledBy(({ payload, signal }) =>
  unassignFormerMembers(payload, signal),
);

/** Removes what a merge at the same moment has left. */
export const unassignAllFormerMembers = (signal?: AbortSignal) => unassignFormerMembers(null, signal);
