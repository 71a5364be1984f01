import type { IdentityActor } from '@/server/platform/actor';
import { describeApiKeyToken, generateApiKeyToken, hashApiKeyToken } from '@/server/platform/auth/api-key-token';
import { operatorActingFor } from '@/server/platform/auth/identity-actor';
import type { ApiKey, Prisma } from '@/server/platform/db/generated/client';
import { prisma } from '@/server/platform/db/prisma';
import { type PrismaTransaction, prismaTransaction } from '@/server/platform/db/transaction';
import { AppError, invalidFields, notFound } from '@/server/platform/errors';
import { planTerms } from '@/server/platform/plan';
import { notifyOwner } from '../outbox/account-mail.service';
import { keyIssuedMail } from '../outbox/account-notices.service';
import type { UsageOverview } from '../usage/usage.schema';
import type { ApiKeyRecord, CreateApiKeyInput, IssuedApiKey, RotateApiKeyInput } from './api-key.schema';

/** More than any integration needs; keeps the list short enough to show without paging. */
const keysMaximum = 100;

function toRecord(key: ApiKey): ApiKeyRecord {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    last4: key.last4,
    createdAt: key.createdAt.toISOString(),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
  };
}

/** The keys that work now. */
function active({ identityId }: IdentityActor): Prisma.ApiKeyWhereInput {
  return { identityId, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] };
}

/** Active keys first, newest first; then the revoked ones, of which the oldest beyond the limit are left out. */
export async function listApiKeys(actor: IdentityActor): Promise<ApiKeyRecord[]> {
  const keys = await prisma().apiKey.findMany({
    where: { identityId: actor.identityId },
    orderBy: [{ revokedAt: { sort: 'desc', nulls: 'first' } }, { createdAt: 'desc' }, { id: 'desc' }],
    take: 2 * keysMaximum,
  });
  return keys.map(toRecord);
}

/**
 * Issues a key. The token is only in this response.
 *
 * @throws AppError invalid_request for an expiry in the past, conflict at 100 active keys.
 */
export async function createApiKey(actor: IdentityActor, input: CreateApiKeyInput): Promise<IssuedApiKey> {
  const expiresAt = input.expiresAt === null ? null : new Date(input.expiresAt);
  if (expiresAt && expiresAt <= new Date()) throw invalidFields({ expiresAt: 'must be in the future' });
  const working = await prisma().apiKey.count({
    where: active(actor),
  });
  if (working >= keysMaximum)
    throw new AppError('conflict', `There are ${keysMaximum} keys already. Revoke one that is not used.`);
  return prismaTransaction(actor, async (tx) => {
    const issued = await issue(tx, actor.identityId, input.name.trim(), expiresAt);
    await notifyOwner(tx, actor.identityId, (business) => keyIssuedMail(business, keyLabel(issued), false));
    return issued;
  });
}

/** Identifies a key as the owner's list does. */
function keyLabel({ apiKey: { name, prefix, last4 } }: IssuedApiKey): string {
  return `“${name}” (${prefix}…${last4})`;
}

/** Writes a new key with `db`, for callers with a transaction. */
export async function issue(
  db: PrismaTransaction,
  identityId: string,
  name: string,
  expiresAt: Date | null,
): Promise<IssuedApiKey> {
  const key = generateApiKeyToken();
  const apiKey = await db.apiKey.create({
    data: { identityId, name, hash: Uint8Array.from(hashApiKeyToken(key)), ...describeApiKeyToken(key), expiresAt },
  });
  return { key, apiKey: toRecord(apiKey) };
}

async function lockKey(db: PrismaTransaction, actor: IdentityActor, id: string): Promise<ApiKey> {
  await db.$queryRaw`SELECT 1 FROM api_keys WHERE id = ${id}::uuid AND identity_id = ${actor.identityId}::uuid FOR UPDATE`;
  const key = await db.apiKey.findFirst({ where: { id, identityId: actor.identityId } });
  if (!key) throw notFound();
  return key;
}

/**
 * Issues a successor with the same name and expiry; the old key continues to work for `overlapHours`.
 *
 * @throws AppError conflict for a key that no longer works.
 */
export async function rotateApiKey(actor: IdentityActor, input: RotateApiKeyInput): Promise<IssuedApiKey> {
  return prismaTransaction(actor, async (tx) => {
    const old = await lockKey(tx, actor, input.id);
    const now = new Date();
    if (old.revokedAt || (old.expiresAt && old.expiresAt <= now)) {
      throw new AppError('conflict', 'This key no longer works. Create a new one instead.');
    }
    const end = new Date(now.getTime() + input.overlapHours * 3_600_000);
    await tx.apiKey.update({
      where: { id: old.id },
      data:
        input.overlapHours === 0 ? { revokedAt: now } : { expiresAt: old.expiresAt && old.expiresAt < end ? old.expiresAt : end },
    });
    const issued = await issue(tx, actor.identityId, old.name, old.expiresAt);
    await notifyOwner(tx, actor.identityId, (business) => keyIssuedMail(business, keyLabel(issued), true));
    return issued;
  });
}

/** Revokes a key permanently; idempotent. It stops working within one second on every server. */
export async function revokeApiKey(actor: IdentityActor, id: string): Promise<ApiKeyRecord> {
  return prismaTransaction(actor, async (tx) => {
    const key = await lockKey(tx, actor, id);
    if (key.revokedAt) return toRecord(key);
    return toRecord(await tx.apiKey.update({ where: { id: key.id }, data: { revokedAt: new Date() } }));
  });
}

/** The active keys and their requests of this UTC day. */
export async function listDailyRequests(actor: IdentityActor): Promise<UsageOverview['keys']> {
  const today = new Date(new Date().toISOString().slice(0, 10));
  const keys = await prisma().apiKey.findMany({
    where: active(actor),
    include: { dailyUsage: { where: { day: today } }, identity: { select: { plan: true } } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: keysMaximum,
  });
  return keys.map(({ id, name, prefix, last4, lastUsedAt, dailyUsage, identity }) => {
    const dailyLimit = planTerms[identity.plan].dailyRequestsPerKey;
    const requestsToday = dailyLimit === null ? null : (dailyUsage[0]?.requests ?? 0);
    return { id, name, prefix, last4, requestsToday, dailyLimit, lastUsedAt: lastUsedAt?.toISOString() ?? null };
  });
}

/** `admin key create`. @throws AppError not_found for an unknown handle. */
export async function createApiKeyForHandle(
  handle: string,
  input: CreateApiKeyInput,
): Promise<{ id: string; key: string; expiresAt: string | null }> {
  const { key, apiKey } = await createApiKey(await operatorActingFor(handle), input);
  return { id: apiKey.id, key, expiresAt: apiKey.expiresAt };
}

/** `admin key revoke`, for any identity. @throws AppError not_found for an unknown id. */
export async function revokeApiKeyById(id: string): Promise<{ id: string; revokedAt: string | null }> {
  const key = await prisma().apiKey.findUnique({ where: { id }, select: { identityId: true } });
  if (!key) throw new AppError('not_found', `There is no key ${id}.`);
  const { revokedAt } = await revokeApiKey({ kind: 'system', identityId: key.identityId }, id);
  return { id, revokedAt };
}
