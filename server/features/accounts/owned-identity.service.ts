import type pg from 'pg';
import type { IdentityActor, SessionActor } from '@/server/platform/actor';
import { identityCookie } from '@/server/platform/auth/session';
import { isUniqueViolation, prisma } from '@/server/platform/db/prisma';
import { rows } from '@/server/platform/db/sql';
import { prismaTransaction, transaction } from '@/server/platform/db/transaction';
import { AppError, invalidFields, notFound } from '@/server/platform/errors';
import { forgetUnusedDomains } from '../addresses/address-claim.service';
import { notifyOwner } from '../outbox/account-mail.service';
import { businessDeletedMail } from '../outbox/account-notices.service';
import type { CreateOwnIdentityInput, DeleteIdentityInput, IdentityContents } from './account.schema';
import { createBusiness } from './new-identity';

/** More businesses than one owner runs. Each has a plan's allowance of its own, so there must be an end of them. */
const identitiesMaximum = 20;

/**
 * Gives the signed-in person one more business, on the free plan.
 *
 * @returns its id, and the cookie that makes this browser look at it
 * @throws AppError invalid_request for a handle that is taken, conflict at 20 businesses
 */
export async function createOwnIdentity(
  actor: SessionActor,
  input: CreateOwnIdentityInput,
): Promise<{ identityId: string; cookie: string }> {
  try {
    const { userId } = actor;
    const identityId = await prismaTransaction(actor, async (tx) => {
      // Two at once are counted one after the other.
      await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
      const owned = await tx.identity.count({ where: { ownerUserId: userId } });
      if (owned >= identitiesMaximum) {
        throw new AppError('conflict', `An account has at most ${identitiesMaximum} businesses. Delete one that is not used.`);
      }
      return createBusiness(tx, userId, input);
    });
    return { identityId, cookie: identityCookie(identityId) };
  } catch (error) {
    if (isUniqueViolation(error, 'handle')) throw invalidFields({ handle: 'is taken. Choose another one' });
    throw error;
  }
}

/** What goes with this business when it is deleted. */
export async function getIdentityContents({ userId, identityId }: SessionActor & IdentityActor): Promise<IdentityContents> {
  const identity = await prisma().identity.findFirst({
    where: { id: identityId, ownerUserId: userId },
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
          // Only keys that still open the API: nothing stops working with the others.
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
 * Deletes the business at hand with everything that belongs to it, at once and for good. Jobs that wait for something of it find
 * nothing and end; its files go with the next sweep; its public pages are gone with the next request.
 *
 * @throws AppError invalid_request for another handle than its own
 */
export async function deleteIdentity(actor: SessionActor & IdentityActor, { handle }: DeleteIdentityInput): Promise<void> {
  const { handle: own } = await getIdentityContents(actor);
  if (handle !== own) throw invalidFields({ handle: `must read ${own}` });
  // First what writes for it: while all of it is being deleted, every write would wait for that.
  await transaction(actor, (client) =>
    client.query('UPDATE api_keys SET revoked_at = now() WHERE identity_id = $1 AND revoked_at IS NULL', [actor.identityId]),
  );
  // Not one of Prisma's transactions: a business with years of mail takes longer than those may.
  await transaction(actor, (client) => erase(client, actor));
}

/**
 * Everything that belongs to an identity, from the leaves to the root. What refers to these rows goes with them, by the database's own
 * rules; nothing is left for the identity itself to take along, since that would be noted row by row in the audit log that goes too.
 */
const erasedTables = [
  'outbox_mails',
  'quarantined_mails',
  'messages',
  'merged_conversations',
  'conversations',
  'conversation_counts',
  'calendar_events',
  'calendar_changes',
  'calendar_feeds',
  'blog_posts',
  'blog_post_counts',
  'blog_images',
  'blog_sites',
  'external_contacts',
  'customers',
  'customer_counts',
  'agents',
  'usage_records',
  'usage_months',
  'usage_days',
  'agent_activity',
  'tracked_tasks',
  'api_keys',
  'whitelisted_addresses',
  'address_claims',
  'mail_days',
  'storage_usage',
  'security_events',
] as const;

async function erase(client: pg.PoolClient, { userId, identityId }: SessionActor & IdentityActor): Promise<void> {
  // Whoever adds something to this business waits from here on, and then finds it gone.
  const locked = await rows(client, {
    name: 'identity-lock-to-erase',
    text: 'SELECT 1 FROM identities WHERE id = $1 AND owner_user_id = $2 FOR UPDATE',
    values: [identityId, userId],
  });
  if (locked.length === 0) throw notFound();
  await notifyOwner(client, identityId, businessDeletedMail);
  // The audit log gets one entry for all of it, that of the identity itself.
  await client.query(`SELECT set_config('frontdesk.erased', $1, true)`, [identityId]);
  for (const table of erasedTables) await client.query(`DELETE FROM ${table} WHERE identity_id = $1`, [identityId]);
  await client.query(`SELECT set_config('frontdesk.erased', '', true)`);
  // Answers that the dashboard's calls may get again tell of the business, too.
  await client.query('DELETE FROM idempotent_requests WHERE user_id = $1', [userId]);
  await client.query('DELETE FROM identities WHERE id = $1', [identityId]);
  await forgetUnusedDomains(client, userId);
}
