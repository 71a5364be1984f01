import { randomBytes } from 'node:crypto';
import { prisma } from '@/server/platform/db/prisma';
import { prismaTransaction } from '@/server/platform/db/transaction';
import { AppError } from '@/server/platform/errors';
import type { IssuedApiKey } from '../api-keys/api-key.schema';
import { issue } from '../api-keys/api-key.service';
import type { CompleteSetupInput } from './account.schema';
import { hashOfToken } from './account-link';
import { createBusiness } from './new-identity';
import { hashNewPassword } from './new-password.service';

/** Setup of an installation's first owner, by a one-time link that each start prints until an owner exists. */

const author = { kind: 'system', cause: 'setup' } as const;

/** True while this installation has no owner. */
export async function needsSetup(): Promise<boolean> {
  return (await prisma().user.findFirst({ select: { id: true } })) === null;
}

/**
 * A token for the one-time `/setup` link, or null if an owner exists. Each start prints its own link; all of them work until
 * the first owner exists.
 */
export async function createSetupToken(): Promise<string | null> {
  if (!(await needsSetup())) return null;
  const token = randomBytes(24).toString('base64url');
  await prisma().setupToken.create({ data: { hash: hashOfToken(token) } });
  return token;
}

/** Whether a `/setup` link still works. */
export async function isSetupTokenValid(token: string): Promise<boolean> {
  const found = await prisma().setupToken.findUnique({ where: { hash: hashOfToken(token) }, select: { hash: true } });
  return found !== null && (await needsSetup());
}

function setupLinkInvalid(): AppError {
  return new AppError('not_found', 'This setup link is no longer valid.');
}

/**
 * Creates the first owner, identity and API key of an empty installation, once: concurrent attempts queue for the lock on the
 * users table.
 *
 * @throws AppError not_found for an unknown token or one that is no longer valid
 */
export async function completeSetup(input: CompleteSetupInput): Promise<IssuedApiKey> {
  // Hashing a password is expensive: only after the link was checked.
  if (!(await isSetupTokenValid(input.token))) throw setupLinkInvalid();
  const passwordHash = await hashNewPassword(input.password, input.email, 'password');
  return prismaTransaction(author, async (tx) => {
    // Taken first, so that attempts with different links queue here instead of deadlocking on each other's tokens.
    await tx.$executeRaw`LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE`;
    const claimed = await tx.setupToken.deleteMany({ where: { hash: hashOfToken(input.token) } });
    const taken = await tx.user.findFirst({ select: { id: true } });
    if (claimed.count === 0 || taken) throw setupLinkInvalid();
    const user = await tx.user.create({
      data: { email: input.email, emailVerifiedAt: new Date(), passwordHash, isInstaller: true },
    });
    const identityId = await createBusiness(tx, author, user.id, input);
    await tx.setupToken.deleteMany();
    return issue(tx, author, identityId, { name: 'First key', expiresAt: null });
  });
}
