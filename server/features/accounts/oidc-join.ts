import type { AutoJoin } from '@/server/platform/auth/sign-in-settings';
import { isUniqueViolation, prisma } from '@/server/platform/db/prisma';
import { type PrismaTransaction, prismaTransaction } from '@/server/platform/db/transaction';
import { env } from '@/server/platform/env';
import { isAppError } from '@/server/platform/errors';
import type { ProviderAccount } from './oidc-client';
import { ProviderProblem } from './oidc-refusal';

/**
 * New accounts for people whom the provider knows and we don't, without a password. An account with the same email is never taken for
 * theirs: the person who controls the provider's entry would control it, too.
 */

/** What single sign-on needs of teams, a feature above this one; the registry hands it in. Both work in the caller's transaction. */
export interface Teams {
  /** Adds an account to the team of a business. @returns false if there is no such business, or no room in its team */
  join: (tx: PrismaTransaction, userId: string, to: AutoJoin) => Promise<boolean>;
  /**
   * Accepts an invitation for an account.
   *
   * @returns the id of the business
   * @throws AppError not_found for a link that does not work; conflict if it is for another address
   */
  acceptInvitation: (tx: PrismaTransaction, token: string, account: { userId: string; email: string }) => Promise<string>;
}

/** An account that was just created. */
export interface NewAccount {
  id: string;
  email: string;
  sessionEpoch: number;
}

/** @throws ProviderProblem for an address that has an account */
async function requireNoAccount(email: string): Promise<void> {
  if ((await prisma().user.count({ where: { email } })) > 0) throw new ProviderProblem('not_linked');
}

/** Creates an account that the provider signs in to, and lets it join, in one transaction. */
async function createAccount<T>(
  { issuer, subject }: ProviderAccount,
  email: string,
  join: (tx: PrismaTransaction, user: NewAccount) => Promise<T>,
): Promise<T> {
  try {
    return await prismaTransaction({ kind: 'system', cause: 'single_sign_on' }, async (tx) => {
      const user = await tx.user.create({
        data: { email, emailVerifiedAt: new Date(), passwordHash: null },
        select: { id: true, email: true, sessionEpoch: true },
      });
      await tx.oidcAccount.create({ data: { userId: user.id, issuer, subject, email } });
      return join(tx, user);
    });
  } catch (error) {
    // The same person at the same time, who is known when they try again.
    if (isUniqueViolation(error)) throw new ProviderProblem('state');
    throw error;
  }
}

/**
 * Creates an account in the team that OIDC_AUTO_JOIN names, if any.
 *
 * @throws ProviderProblem that says what to do
 */
export async function joinByProvider(account: ProviderAccount, teams: Teams): Promise<NewAccount> {
  const to = env().OIDC_AUTO_JOIN;
  const proven = account.isEmailVerified ? account.email : null;
  // Only for a person who has proven that the address is theirs.
  if (proven !== null) await requireNoAccount(proven);
  if (!to) throw new ProviderProblem('invitation');
  if (proven === null) throw new ProviderProblem('unverified');
  return createAccount(account, proven, async (tx, user) => {
    if (!(await teams.join(tx, user.id, to))) throw new ProviderProblem('join');
    return user;
  });
}

/**
 * Creates an account that accepts an invitation, if the provider has verified the invited address.
 *
 * @returns the account and the id of the business
 * @throws ProviderProblem that says what to do
 */
export async function joinByInvitation(
  account: ProviderAccount,
  token: string,
  teams: Teams,
): Promise<{ user: NewAccount; identityId: string }> {
  const { email, isEmailVerified } = account;
  if (email === null || !isEmailVerified) throw new ProviderProblem('unverified');
  await requireNoAccount(email);
  try {
    return await createAccount(account, email, async (tx, user) => ({
      user,
      identityId: await teams.acceptInvitation(tx, token, { userId: user.id, email }),
    }));
  } catch (error) {
    if (!isAppError(error) || !['not_found', 'conflict'].includes(error.code)) throw error;
    throw new ProviderProblem(error.code === 'conflict' ? 'invitation_other' : 'invitation_over');
  }
}
