import { agents } from '@/server/features/agents/agent.sql';
import type { IdentityActor } from '@/server/platform/actor';
import { identities, memberships } from '@/server/platform/auth/accounts.sql';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { notFound } from '@/server/platform/errors';

/** Who writes a draft, and alone sees it. */
export interface DraftAuthor {
  type: 'member' | 'agent';
  id: string;
}

/** The column of drafts that names an author of this type. */
export const authorColumns = { member: 'author_user_id', agent: 'author_agent_id' } as const;

/** A key that is no agent's writes for the owner of the business. */
export function draftAuthorOf(actor: IdentityActor): DraftAuthor {
  switch (actor.kind) {
    case 'session':
      return { type: 'member', id: actor.userId };
    case 'apiKey':
      return actor.agent ? { type: 'agent', id: actor.agent.id } : { type: 'member', id: actor.ownerUserId };
    case 'system':
      throw new Error('Drafts are written by people and programs.');
  }
}

/** Condition for drafts `d` of an author, whose id is `$2`. */
export const ofAuthor = ({ type }: DraftAuthor): string => `d.identity_id = $1 AND d.${authorColumns[type]} = $2`;

/** Who gets the draft of an email that is cancelled without them: its author, or the owner of the business if that one is gone. */
export async function presentAuthor(db: Queryable, identityId: string, author: DraftAuthor | null): Promise<DraftAuthor> {
  const isPresent = {
    member: `EXISTS (SELECT 1 FROM ${memberships} m WHERE m.identity_id = $1 AND m.user_id = $2)`,
    agent: `EXISTS (SELECT 1 FROM ${agents} a WHERE a.identity_id = $1 AND a.id = $2)`,
  };
  const type = author?.type ?? 'member';
  const [found] = await rows<{ isPresent: boolean; ownerId: string }>(db, {
    name: `draft-author-${type}`,
    text: `SELECT ${isPresent[type]} AS "isPresent", i.owner_user_id AS "ownerId" FROM ${identities} i WHERE i.id = $1`,
    values: [identityId, author?.id ?? null],
  });
  if (!found) throw notFound();
  return found.isPresent && author ? author : { type: 'member', id: found.ownerId };
}
