import type { PrismaTransaction } from '@/server/platform/db/transaction';
import { createFirstAgent } from '../agents/agent.service';
import type { CreateOwnIdentityInput } from './account.schema';

/** Creates a business on the free plan with its first agent, inside the caller's transaction. @returns its id */
export async function createBusiness(
  tx: PrismaTransaction,
  ownerUserId: string,
  { handle, displayName }: CreateOwnIdentityInput,
): Promise<string> {
  const identity = await tx.identity.create({
    data: { handle, displayName: displayName.trim(), scope: 'business', ownerUserId },
  });
  await createFirstAgent(tx, identity.id);
  return identity.id;
}
