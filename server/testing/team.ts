import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import type { IdentityActor, SessionActor } from '@/server/platform/actor';
import type { TeamRole } from '@/server/platform/auth/team-roles.schema';
import { prisma } from '@/server/platform/db/prisma';
import type { TestIdentity } from './identity';
import { sessionCookieOf } from './session';

/** A member of a test identity's team. */
export interface TestMember {
  email: string;
  actor: SessionActor & IdentityActor;
}

/** Adds a new account to the team. */
export async function addTestMember(
  { identityId }: Pick<TestIdentity, 'identityId'>,
  role: TeamRole,
  displayName = '',
): Promise<TestMember> {
  const email = `${role}-${randomBytes(6).toString('hex')}@team.example`;
  const { id: userId } = await prisma().user.create({
    data: {
      email,
      displayName,
      emailVerifiedAt: new Date(),
      undoSeconds: 0,
      emailFormat: 'plain',
      memberships: { create: { identityId, role } },
    },
  });
  return {
    email,
    actor: { kind: 'session', userId, sessionId: v7(), identityId, role, name: displayName || null, isFresh: true },
  };
}

/** The cookie of a member's browser. */
export function memberCookie({ actor, email }: TestMember): Promise<string> {
  return sessionCookieOf({ actor, owner: { userId: actor.userId, email, password: '' } });
}
