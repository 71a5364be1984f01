import type { IdentityActor, SessionActor } from '@/server/platform/actor';
import { prisma } from '@/server/platform/db/prisma';
import { prismaTransaction } from '@/server/platform/db/transaction';
import type { Signature } from './team.schema';

/** What a member writes below the emails that they sign themselves. */

export async function getSignature({ identityId, userId }: SessionActor & IdentityActor): Promise<Signature> {
  const where = { identityId_userId: { identityId, userId } };
  return (await prisma().membership.findUnique({ where, select: { signature: true } })) ?? { signature: '' };
}

export async function setSignature(actor: SessionActor & IdentityActor, { signature }: Signature): Promise<void> {
  const { identityId, userId } = actor;
  await prismaTransaction(actor, async (tx) => {
    await tx.membership.updateMany({ where: { identityId, userId }, data: { signature: signature.trim() } });
  });
}
