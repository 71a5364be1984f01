import type { IdentityActor, SessionActor } from '@/server/platform/actor';
import { insufficientRole, isPermitted } from '@/server/platform/auth/access';
import type { TeamRole } from '@/server/platform/auth/team-roles.schema';
import { prisma } from '@/server/platform/db/prisma';
import { serialize } from '@/server/platform/db/serialize';
import { type PrismaTransaction, prismaTransaction, rawStatements } from '@/server/platform/db/transaction';
import { AppError, invalidFields, notFound } from '@/server/platform/errors';
import { languageOf } from '@/server/platform/languages.schema';
import { canSendMail } from '@/server/platform/mail/smtp-transport';
import { photoUrlOf } from '../accounts/profile.service';
import { moveDomainProofs } from '../addresses/address-claim.service';
import { sendAccountMail } from '../outbox/account-mail.service';
import type { InvitationRecord, MemberList, SetRoleInput, Team, TeamMember } from './team.schema';
import { ownershipMail, removedMail, roleChangedMail } from './team-mails';

/**
 * The members of a business and their roles. A change of a membership locks the identity's row first, so that changes of one team
 * happen one after another; that an owner remains is a trigger's rule (docs/adr/0026).
 */

/** Members and open invitations of one business together. */
const teamMaximum = 200;

type PersonActor = SessionActor & IdentityActor;

/** What colleagues call a person. */
export function nameOf({ displayName, email }: { displayName: string; email: string }): string {
  return displayName.trim() || email;
}

const byRole = [{ role: 'asc' }, { createdAt: 'asc' }, { userId: 'asc' }] as const;

/** `GET /identity/members`: members by role, then open invitations. Agents get no addresses. */
export async function listMembers(actor: IdentityActor): Promise<MemberList> {
  const { identityId } = actor;
  const isAgent = actor.kind === 'apiKey' && actor.agent !== null;
  const withEmail = (email: string) => (isAgent ? {} : { email });
  const [active, invited] = await Promise.all([
    prisma().membership.findMany({ where: { identityId }, include: { user: true }, orderBy: [...byRole] }),
    prisma().invitation.findMany({ where: { identityId, expiresAt: { gt: new Date() } }, orderBy: { createdAt: 'asc' } }),
  ]);
  const members: MemberList['members'] = [
    ...active.map(({ user, userId, role, lastActiveAt }) => ({
      userId,
      displayName: user.displayName,
      ...withEmail(user.email),
      role,
      status: 'active' as const,
      lastActiveAt: lastActiveAt?.toISOString() ?? null,
    })),
    ...invited.map(({ email, role }) => ({
      userId: null,
      displayName: '',
      ...withEmail(email),
      role,
      status: 'invited' as const,
      lastActiveAt: null,
    })),
  ];
  return { members, count: members.length };
}

/** The whole team for its page. */
export async function getTeam({ identityId, userId: selfId }: PersonActor): Promise<Team> {
  const [identity, members, invitations] = await Promise.all([
    prisma().identity.findUniqueOrThrow({ where: { id: identityId }, select: { requiresTwoFactor: true } }),
    prisma().membership.findMany({
      where: { identityId },
      include: { user: { include: { twoFactor: { select: { enabledAt: true } }, _count: { select: { passkeys: true } } } } },
      orderBy: [...byRole],
    }),
    prisma().invitation.findMany({ where: { identityId }, orderBy: { createdAt: 'asc' } }),
  ]);
  const names = new Map(members.map(({ userId, user }) => [userId, nameOf(user)]));
  return {
    members: members.map(
      ({ user, userId, role, createdAt, lastActiveAt }): TeamMember => ({
        userId,
        displayName: user.displayName,
        email: user.email,
        role,
        status: 'active',
        lastActiveAt: lastActiveAt?.toISOString() ?? null,
        joinedAt: createdAt.toISOString(),
        hasTwoFactor: user.twoFactor?.enabledAt != null || user._count.passkeys > 0,
        photoUrl: photoUrlOf(user),
        isSelf: userId === selfId,
      }),
    ),
    invitations: invitations.map(
      ({ id, email, role, invitedBy, sentAt, expiresAt }): InvitationRecord => ({
        id,
        email,
        role,
        invitedBy: (invitedBy && names.get(invitedBy)) ?? null,
        sentAt: sentAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
        isExpired: expiresAt.getTime() <= Date.now(),
      }),
    ),
    requiresTwoFactor: identity.requiresTwoFactor,
    canSendMail: canSendMail(),
  };
}

/** The business of a team, locked until the transaction ends. */
export interface LockedTeam {
  business: string;
  /** The owner who answers for it. */
  ownerUserId: string;
}

/** @throws AppError not_found for a business that was deleted */
export async function lockTeam(tx: PrismaTransaction, identityId: string): Promise<LockedTeam> {
  const [team] = await tx.$queryRaw<LockedTeam[]>`
    SELECT coalesce(nullif(display_name, ''), handle) AS business, owner_user_id::text AS "ownerUserId"
    FROM identities WHERE id = ${identityId}::uuid AND erased_at IS NULL FOR NO KEY UPDATE`;
  if (!team) throw notFound();
  return team;
}

/** The role that this person has now, which may have changed since the request began. @throws AppError insufficient_role without one */
async function currentRole(tx: PrismaTransaction, { identityId, userId }: PersonActor): Promise<TeamRole> {
  const own = await tx.membership.findUnique({ where: { identityId_userId: { identityId, userId } }, select: { role: true } });
  if (!own) throw insufficientRole('members:write');
  return own.role;
}

/** Owners manage all members, admins all but owners. @throws AppError insufficient_role */
export async function requireRightOver(tx: PrismaTransaction, actor: PersonActor, ...roles: TeamRole[]): Promise<void> {
  const own = { ...actor, role: await currentRole(tx, actor) };
  const required = roles.includes('owner') ? '*' : 'members:write';
  if (!isPermitted(own, required)) throw insufficientRole(required);
}

/**
 * Lets another owner answer for the business if this one does now, because they will not be an owner any more.
 *
 * @returns the new one, if it has changed
 * @throws AppError conflict for the last owner
 */
async function replaceOwner(
  tx: PrismaTransaction,
  { ownerUserId }: LockedTeam,
  { identityId, userId }: { identityId: string; userId: string },
): Promise<string | null> {
  const other = await tx.membership.findFirst({
    where: { identityId, role: 'owner', userId: { not: userId } },
    orderBy: [{ createdAt: 'asc' }, { userId: 'asc' }],
    select: { userId: true },
  });
  if (!other) {
    throw new AppError('conflict', 'A business needs an owner. Make someone else an owner first.');
  }
  if (ownerUserId !== userId) return null;
  await tx.identity.update({ where: { id: identityId }, data: { ownerUserId: other.userId } });
  await moveDomainProofs(tx, { identityId, from: userId, to: other.userId });
  return other.userId;
}

/**
 * Changes a member's role; an owner may give up their own, if another one remains.
 *
 * @throws AppError not_found for a person who is no member; insufficient_role for an admin where owners are concerned; conflict for
 *   the last owner
 */
export async function setRole(actor: PersonActor, { userId, role }: SetRoleInput): Promise<void> {
  const { identityId } = actor;
  await prismaTransaction(
    actor,
    async (tx) => {
      const team = await lockTeam(tx, identityId);
      const member = await findMember(tx, identityId, userId);
      if (userId === actor.userId && member.role !== 'owner') {
        throw new AppError('conflict', 'You can’t change your own role. Ask another admin or an owner.');
      }
      await requireRightOver(tx, actor, member.role, role);
      await changeRole(tx, { identityId, userId }, { team, member, role });
    },
    { withoutRowSecurity: true },
  );
}

type FoundMember = Awaited<ReturnType<typeof findMember>>;

/** @throws AppError not_found for a person who is no member */
export async function findMember(tx: PrismaTransaction, identityId: string, userId: string) {
  const member = await tx.membership.findUnique({
    where: { identityId_userId: { identityId, userId } },
    include: { user: { select: { email: true, displayName: true, language: true } } },
  });
  if (!member) throw notFound();
  return member;
}

/** Changes the role and tells the member, unless they have it already. */
export async function changeRole(
  tx: PrismaTransaction,
  key: { identityId: string; userId: string },
  { team, member, role }: { team: LockedTeam; member: FoundMember; role: TeamRole },
): Promise<void> {
  if (member.role === role) return;
  if (member.role === 'owner') await replaceOwner(tx, team, key);
  await tx.membership.update({ where: { identityId_userId: key }, data: { role } });
  const language = languageOf(member.user);
  const mail = role === 'owner' ? ownershipMail(language, team.business) : roleChangedMail(language, team.business, role);
  await sendAccountMail(tx, { to: member.user.email, ...mail });
}

/**
 * Ends a membership. The person's next request, on any page, is refused; their account and other memberships stay.
 *
 * @throws AppError not_found, insufficient_role, and conflict for the last owner
 */
export async function removeMember(actor: PersonActor, userId: string): Promise<void> {
  if (userId === actor.userId) throw invalidFields({ userId: 'is your own. Leave the business instead' });
  const { identityId } = actor;
  await prismaTransaction(
    actor,
    async (tx) => {
      const team = await lockTeam(tx, identityId);
      const member = await findMember(tx, identityId, userId);
      await requireRightOver(tx, actor, member.role);
      await endMembership(tx, team, member);
      await sendAccountMail(tx, { to: member.user.email, ...removedMail(languageOf(member.user), team.business) });
    },
    { withoutRowSecurity: true },
  );
}

export async function endMembership(
  tx: PrismaTransaction,
  team: LockedTeam,
  { identityId, userId, role }: FoundMember,
): Promise<void> {
  if (role === 'owner') await replaceOwner(tx, team, { identityId, userId });
  await tx.membership.delete({ where: { identityId_userId: { identityId, userId } } });
}

/** Ends one's own membership. @throws AppError conflict for the last owner */
export async function leaveTeam(actor: PersonActor): Promise<void> {
  const { identityId, userId } = actor;
  await prismaTransaction(
    actor,
    async (tx) => {
      const team = await lockTeam(tx, identityId);
      await endMembership(tx, team, await findMember(tx, identityId, userId));
    },
    { withoutRowSecurity: true },
  );
}

/**
 * Whether members need a second factor to work for this business. The person who requires it needs one, too.
 *
 * @throws AppError conflict without an own second factor
 */
export async function requireTwoFactor(actor: PersonActor, isRequired: boolean): Promise<void> {
  const { identityId, userId } = actor;
  await prismaTransaction(actor, async (tx) => {
    const apps = await tx.twoFactor.count({ where: { userId, enabledAt: { not: null } } });
    const passkeys = await tx.passkey.count({ where: { userId } });
    if (isRequired && apps + passkeys === 0) {
      throw new AppError('conflict', 'Turn on two-factor authentication for your own account first.');
    }
    await tx.identity.update({ where: { id: identityId }, data: { requiresTwoFactor: isRequired } });
  });
}

/** Refuses another member or invitation where the team is full, in a transaction that then adds one. @throws AppError conflict */
export async function requireRoom(tx: PrismaTransaction, identityId: string): Promise<void> {
  await serialize(rawStatements(tx), 'members', identityId);
  const where = { where: { identityId } };
  const size = (await tx.membership.count(where)) + (await tx.invitation.count(where));
  if (size >= teamMaximum) throw new AppError('conflict', `A team has at most ${teamMaximum} members and invitations.`);
}
