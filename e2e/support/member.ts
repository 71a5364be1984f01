import { hashPassword } from '@/server/platform/auth/password';
import { prisma } from '@/server/platform/db/prisma';
import type { Tenant } from './test';

const password = 'correct horse battery';

/** Adds a member to a tenant's team. @returns who signs in */
export async function addMember({ identityId, handle }: Tenant, displayName: string): Promise<Pick<Tenant, 'owner'>> {
  const email = `${displayName.toLowerCase().replaceAll(' ', '.')}@${handle}.example`;
  const { id: userId } = await prisma().user.create({
    data: {
      ...{ email, displayName, emailVerifiedAt: new Date(), passwordHash: await hashPassword(password), emailFormat: 'plain' },
      memberships: { create: { identityId, role: 'member' } },
    },
  });
  return { owner: { userId, email, password } };
}

/** Gives the tenant's owner a name. */
export async function nameOwner({ owner }: Tenant, displayName: string): Promise<void> {
  await prisma().user.update({ where: { id: owner.userId }, data: { displayName } });
}

/** Lets the tenant's owner take back what they send for 30 seconds; in tests, emails leave at once. */
export async function letUndo({ owner }: Tenant): Promise<void> {
  await prisma().user.update({ where: { id: owner.userId }, data: { undoSeconds: 30 } });
}

/** Lets the tenant's owner write formatted text; in tests, new emails are begun in plain text. */
export async function writeFormatted({ owner }: Tenant): Promise<void> {
  await prisma().user.update({ where: { id: owner.userId }, data: { emailFormat: 'markdown' } });
}
