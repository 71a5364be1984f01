import type { IdentityActor, SessionActor } from '@/server/platform/actor';
import { insufficientRole } from '@/server/platform/auth/access';
import { identityCookie } from '@/server/platform/auth/session';
import { isUniqueViolation, prisma } from '@/server/platform/db/prisma';
import { serialize } from '@/server/platform/db/serialize';
import { rows } from '@/server/platform/db/sql';
import { prismaTransaction, rawStatements, transaction } from '@/server/platform/db/transaction';
import { AppError, invalidFields, notFound } from '@/server/platform/errors';
import { releaseUnusedDomains } from '../addresses/address-claim.service';
import { notifyOwners } from '../outbox/account-mail.service';
import { businessDeletedMail } from '../outbox/account-notices.service';
import { keepMailDay } from '../usage/quota.service';
import type { CreateOwnIdentityInput, DeleteIdentityInput, IdentityContents } from './account.schema';
import { markErased } from './erasure.service';
import { createBusiness } from './new-identity';

/** Businesses per owner. Each has its own plan allowance, so the number must be bounded. */
const identitiesMaximum = 20;

/**
 * Creates a further business for the signed-in user, on the free plan.
 *
 * @returns its id, and the cookie that selects it in this browser
 * @throws AppError invalid_request for a handle that is taken, conflict at 20 businesses
 */
export async function createOwnIdentity(
  actor: SessionActor,
  input: CreateOwnIdentityInput,
): Promise<{ identityId: string; cookie: string }> {
  try {
    const { userId } = actor;
    const identityId = await prismaTransaction(
      actor,
      async (tx) => {
        await serialize(rawStatements(tx), 'businesses', userId);
        const owned = await tx.identity.count({ where: { ownerUserId: userId, erasedAt: null } });
        if (owned >= identitiesMaximum) {
          throw new AppError('conflict', `An account has at most ${identitiesMaximum} businesses. Delete one that is not used.`);
        }
        return createBusiness(tx, actor, userId, input);
      },
      { withoutRowSecurity: true },
    );
    return { identityId, cookie: identityCookie(identityId) };
  } catch (error) {
    if (isUniqueViolation(error, 'handle')) throw invalidFields({ handle: 'is taken. Choose another one' });
    throw error;
  }
}

/** What is deleted along with this business. */
export async function getIdentityContents({ userId, identityId }: SessionActor & IdentityActor): Promise<IdentityContents> {
  const identity = await prisma().identity.findFirst({
    where: { id: identityId, erasedAt: null, memberships: { some: { userId } } },
    select: {
      handle: true,
      displayName: true,
      _count: {
        select: {
          customers: true,
          conversations: true,
          blogPosts: true,
          calendarEvents: true,
          agents: true,
          // Only keys that still work: deleting the others has no effect on anything.
          apiKeys: { where: { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] } },
        },
      },
    },
  });
  if (!identity) throw notFound();
  const { _count: count, handle, displayName } = identity;
  const { customers, conversations, agents, apiKeys } = count;
  return { handle, displayName, customers, conversations, posts: count.blogPosts, events: count.calendarEvents, agents, apiKeys };
}

/**
 * Deletes the selected business, immediately and permanently for everybody: its pages, keys, addresses and unsent mail are gone.
 * Its rows and files are removed by a job afterwards (erasure.service.ts).
 *
 * @throws AppError invalid_request if the handle is not its own
 */
export async function deleteIdentity(actor: SessionActor & IdentityActor, { handle }: DeleteIdentityInput): Promise<void> {
  const { handle: own } = await getIdentityContents(actor);
  if (handle !== own) throw invalidFields({ handle: `must read ${own}` });
  const { userId, identityId } = actor;
  await transaction(actor, async (client) => {
    const [locked] = await rows<{ ownerUserId: string }>(client, {
      name: 'identity-lock-to-erase',
      text: 'SELECT owner_user_id AS "ownerUserId" FROM identities WHERE id = $1 AND erased_at IS NULL FOR UPDATE',
      values: [identityId],
    });
    if (!locked) throw notFound();
    // Read again: they may have lost the role while the request was on its way.
    const isOwner = await rows(client, {
      name: 'identity-owner-to-erase',
      text: `SELECT 1 FROM memberships WHERE identity_id = $1 AND user_id = $2 AND role = 'owner'`,
      values: [identityId, userId],
    });
    if (isOwner.length === 0) throw insufficientRole('*');
    await notifyOwners(client, identityId, businessDeletedMail);
    await keepMailDay(client, identityId);
    await markErased(client, identityId);
    await releaseUnusedDomains(client, locked.ownerUserId);
  });
}
