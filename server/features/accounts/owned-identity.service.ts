import type pg from 'pg';
import type { IdentityActor, SessionActor } from '@/server/platform/actor';
import { identityCookie } from '@/server/platform/auth/session';
import { isUniqueViolation, prisma } from '@/server/platform/db/prisma';
import { rows } from '@/server/platform/db/sql';
import { limitStatements } from '@/server/platform/db/time-limits';
import { prismaTransaction, transaction } from '@/server/platform/db/transaction';
import { AppError, invalidFields, notFound } from '@/server/platform/errors';
import { releaseUnusedDomains } from '../addresses/address-claim.service';
import { notifyOwner } from '../outbox/account-mail.service';
import { businessDeletedMail } from '../outbox/account-notices.service';
import type { CreateOwnIdentityInput, DeleteIdentityInput, IdentityContents } from './account.schema';
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
    const identityId = await prismaTransaction(actor, async (tx) => {
      // Serializes concurrent requests, so that each one counts the others.
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

/** What is deleted along with this business. */
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
 * Deletes the selected business with all its data, immediately and permanently. Pending jobs find nothing and end; its files
 * are removed by the next sweep; its public pages are gone with the next request.
 *
 * @throws AppError invalid_request if the handle is not its own
 */
export async function deleteIdentity(actor: SessionActor & IdentityActor, { handle }: DeleteIdentityInput): Promise<void> {
  const { handle: own } = await getIdentityContents(actor);
  if (handle !== own) throw invalidFields({ handle: `must read ${own}` });
  // First the credentials that write for it: while the deletion runs, every such write would wait for it.
  await transaction(actor, (client) =>
    client.query('UPDATE api_keys SET revoked_at = now() WHERE identity_id = $1 AND revoked_at IS NULL', [actor.identityId]),
  );
  // Not a Prisma transaction: a business with years of mail takes longer than their timeout.
  await transaction(actor, (client) => erase(client, actor));
}

/**
 * Tables of an identity's data, children before parents. Rows that refer to these are removed by database cascades. Nothing may
 * be left to cascade from the identity itself: the audit log, which is deleted too, would record that row by row.
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
  // A business with years of mail takes longer than a request may.
  await client.query(limitStatements('job', 'LOCAL'));
  // Concurrent inserts for this business wait from here on, and then find it gone.
  const locked = await rows(client, {
    name: 'identity-lock-to-erase',
    text: 'SELECT 1 FROM identities WHERE id = $1 AND owner_user_id = $2 FOR UPDATE',
    values: [identityId, userId],
  });
  if (locked.length === 0) throw notFound();
  await notifyOwner(client, identityId, businessDeletedMail);
  // The audit log gets a single entry, for the identity itself.
  await client.query(`SELECT set_config('frontdesk.erased', $1, true)`, [identityId]);
  for (const table of erasedTables) await client.query(`DELETE FROM ${table} WHERE identity_id = $1`, [identityId]);
  await client.query(`SELECT set_config('frontdesk.erased', '', true)`);
  // Stored responses of idempotent dashboard calls contain data of the business, too.
  await client.query('DELETE FROM idempotent_requests WHERE user_id = $1', [userId]);
  await client.query('DELETE FROM identities WHERE id = $1', [identityId]);
  await releaseUnusedDomains(client, userId);
}
