import { unprovenAccount } from '@/server/platform/auth/identity-actor';
import type { User } from '@/server/platform/db/generated/client';
import type { PrismaTransaction } from '@/server/platform/db/transaction';
import { AppError, invalidFields } from '@/server/platform/errors';
import type { CreateIdentityInput } from './account.schema';
import { hashNewPassword } from './new-password.service';

/** The owner of a new identity, as the operator's input describes it. */
type OwnerInput = Pick<CreateIdentityInput, 'ownerEmail' | 'ownerPassword' | 'existingOwner'>;

/**
 * The hash of a new owner's password.
 *
 * @returns null for an owner who already has a password
 * @throws AppError invalid_request for one that is missing, unexpected, or easy to guess
 */
export async function ownerPasswordHash({ ownerEmail, ownerPassword, existingOwner }: OwnerInput): Promise<string | null> {
  if (existingOwner && ownerPassword !== undefined) {
    throw invalidFields({ ownerPassword: 'is not for an existing owner, who keeps the one they have' });
  }
  if (existingOwner) return null;
  if (ownerPassword === undefined) throw invalidFields({ ownerPassword: 'is required' });
  return hashNewPassword(ownerPassword, ownerEmail, 'ownerPassword');
}

/**
 * The owner of a new identity: a new account, or the existing one the operator asked for.
 *
 * @throws AppError conflict for an existing account that was not asked for, or whose address is not proven; not_found for a
 *   missing one
 */
export async function ownerFor(
  tx: PrismaTransaction,
  { ownerEmail: email }: OwnerInput,
  passwordHash: string | null,
): Promise<User> {
  if (passwordHash !== null) {
    // One statement instead of read and create: of two concurrent calls, one creates the account.
    const { count } = await tx.user.createMany({
      data: [{ email, emailVerifiedAt: new Date(), passwordHash }],
      skipDuplicates: true,
    });
    if (count === 1) return tx.user.findUniqueOrThrow({ where: { email } });
    throw new AppError(
      'conflict',
      `There is an account ${email} already. To give it this identity, add --existing-owner and leave out the password.`,
    );
  }
  const owner = await tx.user.findUnique({ where: { email } });
  if (!owner) throw new AppError('not_found', `There is no user ${email}. Leave out --existing-owner to create one.`);
  if (owner.emailVerifiedAt) return owner;
  throw unprovenAccount(email);
}
