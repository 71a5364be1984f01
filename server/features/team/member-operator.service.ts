import type { SystemActor } from '@/server/platform/actor';
import { operatorActingFor, unprovenAccount } from '@/server/platform/auth/identity-actor';
import { type PrismaTransaction, prismaTransaction } from '@/server/platform/db/transaction';
import { AppError } from '@/server/platform/errors';
import { changeRole, endMembership, findMember, type LockedTeam, listMembers, lockTeam, requireRoom } from './member.service';
import type { MemberList, OperatorMemberInput } from './team.schema';

/** Members, managed by the operator: `admin member …`. */

/** Runs an operator's change of the membership of an account. */
async function changeAsOperator<T>(
  { identity, email }: Pick<OperatorMemberInput, 'identity' | 'email'>,
  work: (tx: PrismaTransaction, actor: SystemActor, key: { identityId: string; userId: string }, team: LockedTeam) => Promise<T>,
): Promise<T & { identity: string; email: string }> {
  const actor = await operatorActingFor(identity);
  const { identityId } = actor;
  const done = await prismaTransaction(
    actor,
    async (tx) => {
      const team = await lockTeam(tx, identityId);
      const user = await tx.user.findUnique({ where: { email }, select: { id: true } });
      if (!user) throw new AppError('not_found', `There is no user ${email}. Invite them in the dashboard.`);
      return work(tx, actor, { identityId, userId: user.id }, team);
    },
    { withoutRowSecurity: true },
  );
  return { ...done, identity, email };
}

/** `admin member add`: makes an existing account a member. @throws AppError not_found, conflict for a member or an unproven address */
export function addMemberAsOperator(input: OperatorMemberInput): Promise<object> {
  return changeAsOperator(input, async (tx, _actor, key) => {
    const { emailVerifiedAt } = await tx.user.findUniqueOrThrow({ where: { id: key.userId }, select: { emailVerifiedAt: true } });
    if (emailVerifiedAt === null) throw unprovenAccount(input.email);
    await requireRoom(tx, key.identityId);
    const { count } = await tx.membership.createMany({ data: [{ ...key, role: input.role }], skipDuplicates: true });
    if (count === 0) throw new AppError('conflict', `${input.email} is a member already. Use member set-role.`);
    await tx.invitation.deleteMany({ where: { identityId: key.identityId, email: input.email } });
    return { userId: key.userId, role: input.role };
  });
}

/** `admin member set-role`. @throws AppError not_found, conflict for the last owner */
export function setRoleAsOperator({ role, ...of }: OperatorMemberInput): Promise<object> {
  return changeAsOperator(of, async (tx, _actor, key, team) => {
    await changeRole(tx, key, { team, member: await findMember(tx, key.identityId, key.userId), role });
    return { userId: key.userId, role };
  });
}

/** `admin member remove`. @throws AppError not_found, conflict for the last owner */
export function removeMemberAsOperator(of: Pick<OperatorMemberInput, 'identity' | 'email'>): Promise<object> {
  return changeAsOperator(of, async (tx, _actor, key, team) => {
    await endMembership(tx, team, await findMember(tx, key.identityId, key.userId));
    return { userId: key.userId, wasMember: true };
  });
}

/** `admin member list`. */
export async function listMembersAsOperator(identity: string): Promise<MemberList> {
  return listMembers(await operatorActingFor(identity));
}
