import type { AutoJoin } from '@/server/platform/auth/sign-in-settings';
import type { PrismaTransaction } from '@/server/platform/db/transaction';
import { isAppError } from '@/server/platform/errors';
import { lockTeam, requireRoom } from './member.service';

/**
 * Adds an account to the team that OIDC_AUTO_JOIN names, inside the caller's transaction.
 *
 * @returns false if there is no such business, or no room in its team
 */
export async function joinTeamByHandle(tx: PrismaTransaction, userId: string, { handle, role }: AutoJoin): Promise<boolean> {
  const identity = await tx.identity.findFirst({ where: { handle, erasedAt: null }, select: { id: true } });
  if (!identity) return false;
  const identityId = identity.id;
  try {
    await lockTeam(tx, identityId);
    await requireRoom(tx, identityId);
  } catch (error) {
    if (isAppError(error)) return false;
    throw error;
  }
  await tx.membership.createMany({ data: [{ identityId, userId, role }], skipDuplicates: true });
  return true;
}
