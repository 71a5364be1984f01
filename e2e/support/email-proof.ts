import { prisma } from '@/server/platform/db/prisma';
import type { Tenant } from './test';

/** Marks the owner's address as unverified, as after a change in a version that did not verify addresses. */
export async function forgetEmailProof({ owner }: Pick<Tenant, 'owner'>): Promise<void> {
  await prisma().user.update({ where: { id: owner.userId }, data: { emailVerifiedAt: null } });
}
