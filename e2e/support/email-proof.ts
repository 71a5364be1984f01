import { prisma } from '@/server/platform/db/prisma';
import type { Tenant } from './test';

/** Makes the owner's address one that no one has proven, as after a change in a version that asked for no proof. */
export async function forgetEmailProof({ owner }: Pick<Tenant, 'owner'>): Promise<void> {
  await prisma().user.update({ where: { id: owner.userId }, data: { emailVerifiedAt: null } });
}
