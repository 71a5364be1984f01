import type { Author } from '@/server/platform/actor';
import type { PrismaTransaction } from '@/server/platform/db/transaction';
import { createFirstAgent } from '../agents/agent.service';
import type { CreateOwnIdentityInput } from './account.schema';

/** Creates a business on the free plan with its first agent, inside the caller's transaction. @returns its id */
export async function createBusiness(
  tx: PrismaTransaction,
  author: Author,
  ownerUserId: string,
  { handle, displayName }: CreateOwnIdentityInput,
): Promise<string> {
  const identity = await tx.identity.create({
    data: { handle, displayName: displayName.trim(), scope: 'business', ownerUserId },
  });
  await createFirstAgent(tx, author, identity.id);
  return identity.id;
}
