import { type Change, change, emit } from '@/server/features/events/emit.service';
import type { Author, IdentityActor } from '@/server/platform/actor';
import { describeApiKeyToken, generateApiKeyToken, hashApiKeyToken } from '@/server/platform/auth/api-key-token';
import { operatorActingFor } from '@/server/platform/auth/identity-actor';
import type { ApiKey, Prisma } from '@/server/platform/db/generated/client';
import { pool } from '@/server/platform/db/pool';
import { prisma } from '@/server/platform/db/prisma';
import { serialize } from '@/server/platform/db/serialize';
import { rows } from '@/server/platform/db/sql';
import { type PrismaTransaction, prismaTransaction, rawStatements } from '@/server/platform/db/transaction';
import { AppError, invalidFields, notFound } from '@/server/platform/errors';
import { planTerms } from '@/server/platform/plan';
import { agents } from '../agents/agent.sql';
import { notifyOwners, requireRoomForNotice } from '../outbox/account-mail.service';
import { keyCreatedMail, keyReplacedMail } from '../outbox/account-notices.service';
import type { UsageOverview } from '../usage/usage.schema';
import { apiKeyEvents } from './api-key.events.schema';
import type { ApiKeyRecord, CreateApiKeyInput, IssuedApiKey, RotateApiKeyInput } from './api-key.schema';

/** More than any integration needs; keeps the list short enough to show without paging. */
const keysMaximum = 100;

/** Agents of keys, by their ids. */
type KeyAgents = ReadonlyMap<string, NonNullable<ApiKeyRecord['agent']>>;

const noAgents: KeyAgents = new Map();

function toRecord(key: ApiKey, agentsOfKeys: KeyAgents): ApiKeyRecord {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    last4: key.last4,
    createdAt: key.createdAt.toISOString(),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    scopes: key.scopes,
    agentId: key.agentId,
    agent: (key.agentId && agentsOfKeys.get(key.agentId)) || null,
  };
}

interface AgentRow extends NonNullable<ApiKeyRecord['agent']> {
  id: string;
  roleId: string;
}

/** The agents with one of these ids or role ids. */
async function findAgents({ identityId }: IdentityActor, ids: readonly string[], roleId = ''): Promise<AgentRow[]> {
  return rows<AgentRow>(pool(), {
    name: 'api-key-agents',
    text: `SELECT a.id, a.name, a.status::text AS status, a.role_id AS "roleId" FROM ${agents} a
      WHERE a.identity_id = $1 AND (a.id = ANY($2::uuid[]) OR a.role_id = $3)`,
    values: [identityId, ids, roleId],
  });
}

async function agentsOf(actor: IdentityActor, keys: readonly ApiKey[]): Promise<KeyAgents> {
  const ids = [...new Set(keys.flatMap(({ agentId }) => agentId ?? []))];
  if (ids.length === 0) return noAgents;
  return new Map((await findAgents(actor, ids)).map(({ id, name, status }) => [id, { name, status }]));
}

/** The keys that work now. */
function active({ identityId }: IdentityActor): Prisma.ApiKeyWhereInput {
  return { identityId, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] };
}

/** Makes sure that there are less active keys, also counting those of concurrent requests. @throws AppError conflict */
async function requireRoom(tx: PrismaTransaction, actor: IdentityActor, maximum: number): Promise<void> {
  await serialize(rawStatements(tx), 'api-keys', actor.identityId);
  if ((await tx.apiKey.count({ where: active(actor) })) < maximum) return;
  throw new AppError('conflict', `There are ${maximum} keys already. Revoke one that is not used.`);
}

/** Active keys first, newest first; then the revoked ones, of which the oldest beyond the limit are left out. */
export async function listApiKeys(actor: IdentityActor): Promise<ApiKeyRecord[]> {
  const keys = await prisma().apiKey.findMany({
    where: { identityId: actor.identityId },
    orderBy: [{ revokedAt: { sort: 'desc', nulls: 'first' } }, { createdAt: 'desc' }, { id: 'desc' }],
    take: 2 * keysMaximum,
  });
  const agentsOfKeys = await agentsOf(actor, keys);
  return keys.map((key) => toRecord(key, agentsOfKeys));
}

/**
 * Issues a key. The token is only in this response.
 *
 * @throws AppError invalid_request for an expiry in the past or an agent that can't work, conflict at 100 active keys.
 */
export async function createApiKey(actor: IdentityActor, input: CreateApiKeyInput): Promise<IssuedApiKey> {
  const expiresAt = input.expiresAt === null ? null : new Date(input.expiresAt);
  if (expiresAt && expiresAt <= new Date()) throw invalidFields({ expiresAt: 'must be in the future' });
  const agent = input.agentId ? await requireAgent(actor, input.agentId) : null;
  await requireRoomForNotice(actor);
  const key = { name: input.name.trim(), expiresAt, scopes: input.scopes ?? ['*'], agentId: agent?.id ?? null };
  return prismaTransaction(actor, async (tx) => {
    await requireRoom(tx, actor, keysMaximum);
    const issued = await issue(tx, actor, actor.identityId, key, agent ? new Map([[agent.id, agent]]) : noAgents);
    await notifyOwners(tx, actor.identityId, (language, business) => keyCreatedMail(language, business, issued.apiKey));
    return issued;
  });
}

/** @throws AppError invalid_request */
async function requireAgent(actor: IdentityActor, agentId: string): Promise<AgentRow> {
  const [agent] = await findAgents(actor, [agentId]);
  if (!agent) throw invalidFields({ agentId: 'is not an agent of this business' });
  if (agent.status === 'archived') throw invalidFields({ agentId: 'is an archived agent' });
  return agent;
}

type NewKey = Pick<ApiKey, 'name' | 'expiresAt'> & Partial<Pick<ApiKey, 'scopes' | 'agentId'>>;

/**
 * Writes a new key with `db`, for callers with a transaction, and its event; with full access by default.
 *
 * @param changes what else the transaction changes, for events before that of the new key
 */
export async function issue(
  db: PrismaTransaction,
  author: Author,
  identityId: string,
  { name, expiresAt, scopes, agentId }: NewKey,
  agentsOfKeys: KeyAgents = noAgents,
  changes: readonly Change[] = [],
): Promise<IssuedApiKey> {
  const key = generateApiKeyToken();
  const data = { name, expiresAt, ...(scopes && { scopes }), ...(agentId && { agentId }) };
  const stored = await db.apiKey.create({
    data: { identityId, hash: Uint8Array.from(hashApiKeyToken(key)), ...describeApiKeyToken(key), ...data },
  });
  const apiKey = toRecord(stored, agentsOfKeys);
  const created = change({ kind: apiKeyEvents, type: 'api_key.created', id: apiKey.id, object: apiKey });
  await emit(rawStatements(db), author, [...changes, created], { identityId });
  return { key, apiKey };
}

async function lockKey(db: PrismaTransaction, actor: IdentityActor, id: string): Promise<ApiKey> {
  await db.$queryRaw`SELECT 1 FROM api_keys WHERE id = ${id}::uuid AND identity_id = ${actor.identityId}::uuid FOR UPDATE`;
  const key = await db.apiKey.findFirst({ where: { id, identityId: actor.identityId } });
  if (!key) throw notFound();
  return key;
}

/**
 * Issues a successor with the same name, expiry, scopes and agent; the old key continues to work for `overlapHours`.
 *
 * @throws AppError conflict for a key that no longer works, or at 200 active keys, which overlaps can lead to.
 */
export async function rotateApiKey(actor: IdentityActor, input: RotateApiKeyInput): Promise<IssuedApiKey> {
  await requireRoomForNotice(actor);
  return prismaTransaction(actor, async (tx) => {
    const old = await lockKey(tx, actor, input.id);
    const now = new Date();
    if (old.revokedAt || (old.expiresAt && old.expiresAt <= now)) {
      throw new AppError('conflict', 'This key no longer works. Create a new one instead.');
    }
    const end = new Date(now.getTime() + input.overlapHours * 3_600_000);
    const rotated = await tx.apiKey.update({
      where: { id: old.id },
      data:
        input.overlapHours === 0 ? { revokedAt: now } : { expiresAt: old.expiresAt && old.expiresAt < end ? old.expiresAt : end },
    });
    await requireRoom(tx, actor, 2 * keysMaximum);
    const agentsOfKeys = await agentsOf(actor, [old]);
    const changes = [rotation(toRecord(old, agentsOfKeys), toRecord(rotated, agentsOfKeys))];
    const issued = await issue(tx, actor, actor.identityId, old, agentsOfKeys, changes);
    await notifyOwners(tx, actor.identityId, (language, business) => keyReplacedMail(language, business, issued.apiKey));
    return issued;
  });
}

/** The rotation is an event even if it does not change the old key, which may expire soon anyway. */
function rotation(previous: ApiKeyRecord, object: ApiKeyRecord): Change {
  const isChanged = object.expiresAt !== previous.expiresAt || object.revokedAt !== previous.revokedAt;
  const { id } = object;
  return change({ kind: apiKeyEvents, type: 'api_key.rotated', id, object, ...(isChanged ? { previous } : {}) });
}

/** Revokes a key permanently; idempotent. It stops working within one second on every server. */
export async function revokeApiKey(actor: IdentityActor, id: string): Promise<ApiKeyRecord> {
  return prismaTransaction(actor, async (tx) => {
    const key = await lockKey(tx, actor, id);
    const agentsOfKeys = await agentsOf(actor, [key]);
    const previous = toRecord(key, agentsOfKeys);
    if (key.revokedAt) return previous;
    const revoked = toRecord(await tx.apiKey.update({ where: { id: key.id }, data: { revokedAt: new Date() } }), agentsOfKeys);
    await emit(
      rawStatements(tx),
      actor,
      change({ kind: apiKeyEvents, type: 'api_key.revoked', id: key.id, object: revoked, previous }),
    );
    return revoked;
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

type OperatorKey = Pick<ApiKeyRecord, 'id' | 'expiresAt' | 'scopes' | 'agentId'> & { key: string };

/** `admin key create`. @throws AppError not_found for an unknown handle, invalid_request for an unknown agent. */
export async function createApiKeyForHandle(
  handle: string,
  { agent, ...input }: CreateApiKeyInput & { agent?: string | undefined },
): Promise<OperatorKey> {
  const actor = await operatorActingFor(handle);
  const [found] = agent === undefined ? [] : await findAgents(actor, [], agent);
  if (agent !== undefined && !found) throw invalidFields({ agent: `is not the role of an agent of ${handle}: ${agent}` });
  if (found?.status === 'archived') throw invalidFields({ agent: `is archived: ${agent}` });
  const { key, apiKey } = await createApiKey(actor, { ...input, agentId: found?.id ?? null });
  const { id, expiresAt, scopes, agentId } = apiKey;
  return { id, key, expiresAt, scopes, agentId };
}

/** `admin key revoke`, for any identity. @throws AppError not_found for an unknown id. */
export async function revokeApiKeyById(id: string): Promise<{ id: string; revokedAt: string | null }> {
  const key = await prisma().apiKey.findUnique({ where: { id }, select: { identityId: true } });
  if (!key) throw new AppError('not_found', `There is no key ${id}.`);
  const { revokedAt } = await revokeApiKey({ kind: 'system', identityId: key.identityId }, id);
  return { id, revokedAt };
}
