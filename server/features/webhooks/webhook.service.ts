import { v7 as uuidv7 } from 'uuid';
import type { IdentityActor } from '@/server/platform/actor';
import { operatorActingFor } from '@/server/platform/auth/identity-actor';
import type { Webhook } from '@/server/platform/db/generated/client';
import { prisma } from '@/server/platform/db/prisma';
import { lockRevision, readVersion } from '@/server/platform/db/record-version';
import { serialize } from '@/server/platform/db/serialize';
import { type PrismaTransaction, prismaTransaction, rawStatements } from '@/server/platform/db/transaction';
import { AppError, invalidFields, notFound } from '@/server/platform/errors';
import { checkDestination } from '@/server/platform/fetch/guarded-connection';
import { OutboundRefused } from '@/server/platform/fetch/outbound-error';
import type { RecordVersion } from '@/server/platform/operations/operation';
import { removeLater, resumeLater } from './delivery-queue';
import { refuseUnknownPatterns, requireReadable } from './event-types.service';
import { lockWebhook, toWebhook } from './webhook.record';
import type { CreateWebhookInput, UpdateWebhookInput, WebhookList, WebhookRecord, WebhookWithSecret } from './webhook.schema';
import { newSecret } from './webhook-secret';

/** Of one identity (contract section 11). */
const webhooksMaximum = 10;

/** How long the secret before a rotation signs as well, in milliseconds. */
const overlap = 24 * 3_600_000;

/** @throws AppError invalid_request for an address that no request may be sent to */
async function checkUrl(url: string): Promise<void> {
  try {
    await checkDestination(url);
  } catch (error) {
    if (error instanceof OutboundRefused) throw invalidFields({ url: `can’t be used: ${error.message}` });
    throw error;
  }
}

/** Oldest first. */
export async function listWebhooks({ identityId }: IdentityActor): Promise<WebhookList> {
  const found = await prisma().webhook.findMany({ where: { identityId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
  return { webhooks: found.map(toWebhook), count: found.length };
}

export const webhookVersion: RecordVersion<{ webhookId: string }, WebhookRecord> = {
  lock: (db, { identityId }, { webhookId }) =>
    lockRevision(db, {
      name: 'webhook-revision',
      text: 'SELECT revision FROM webhooks WHERE identity_id = $1::uuid AND id = $2::uuid FOR NO KEY UPDATE',
      values: [identityId, webhookId],
    }),
  // Its health, which changes by itself.
  others: ({ failingSince }) => failingSince,
  read: ({ identityId }, { webhookId }) =>
    readVersion({
      name: 'webhook-version',
      text: `SELECT revision, updated_at AS "updatedAt", failing_since AS others FROM webhooks WHERE identity_id = $1 AND id = $2`,
      values: [identityId, webhookId],
    }),
};

/** @throws AppError not_found */
export async function getWebhook({ identityId }: IdentityActor, id: string): Promise<WebhookRecord> {
  const webhook = await prisma().webhook.findUnique({ where: { identityId_id: { identityId, id } } });
  if (!webhook) throw notFound();
  return toWebhook(webhook);
}

/**
 * Adds a webhook. Its secret is only in this answer.
 * @throws AppError invalid_request for an unknown pattern or an address that can't be used, conflict at ten webhooks, insufficient_scope
 *   for events of what the key may not read
 */
export async function createWebhook(actor: IdentityActor, input: CreateWebhookInput): Promise<WebhookWithSecret> {
  refuseUnknownPatterns(input.events, 'events');
  requireReadable(actor, input.events);
  await checkUrl(input.url);
  const { identityId } = actor;
  return prismaTransaction(actor, async (tx) => {
    await serialize(rawStatements(tx), 'webhooks', identityId);
    if ((await tx.webhook.count({ where: { identityId } })) >= webhooksMaximum) {
      throw new AppError('conflict', `There are ${webhooksMaximum} webhooks already. Delete one that is not used.`);
    }
    const id = uuidv7();
    const { secret, sealed } = newSecret(id);
    return { ...toWebhook(await tx.webhook.create({ data: { id, identityId, ...input, secret: sealed } })), secret };
  });
}

/** A webhook that goes on, or has another address, has not failed yet, and is not slow. */
const healthy = { disabledReason: null, failingSince: null, lastFailureAt: null, warnedAt: null, isSlow: false };

/**
 * Changes the given fields. One that becomes active goes on with the deliveries that wait.
 * @throws AppError not_found, invalid_request as for a new one
 */
export async function updateWebhook(actor: IdentityActor, { webhookId, ...input }: UpdateWebhookInput): Promise<WebhookRecord> {
  if (input.events) refuseUnknownPatterns(input.events, 'events');
  const known = await getWebhook(actor, webhookId);
  requireReadable(actor, [...known.events, ...(input.events ?? [])]);
  if (input.url !== undefined && input.url !== known.url) await checkUrl(input.url);
  return prismaTransaction(actor, async (tx) => {
    const before = await lockWebhook(tx, actor.identityId, webhookId);
    await requireReadableDeliveries(tx, actor, before);
    if (input.status === 'disabled' && before.status !== 'disabled') throw invalidFields({ status: 'can be active or paused' });
    const goesOn = input.status !== undefined && input.status !== before.status && before.status !== 'active';
    const isMoved = input.url !== undefined && input.url !== before.url && before.status !== 'disabled';
    const fields = { ...definedFields(input), ...(goesOn || isMoved ? healthy : {}) };
    if (!changes(before, fields)) return toWebhook(before);
    const after = await tx.webhook.update({
      where: { identityId_id: { identityId: actor.identityId, id: webhookId } },
      data: { ...fields, updatedAt: new Date() },
    });
    // Also those that wait in the queue of a webhook that fails.
    if (after.status === 'active' && (goesOn || isMoved)) await resumeLater(rawStatements(tx), after);
    return toWebhook(after);
  });
}

/**
 * A change may send what waits to another address: also events that the webhook no longer gets, or that others have
 * just added. Those of tests are made up.
 * @throws AppError insufficient_scope
 */
async function requireReadableDeliveries(
  tx: PrismaTransaction,
  actor: IdentityActor,
  { identityId, id, events }: Webhook,
): Promise<void> {
  const waiting = await tx.webhookDelivery.findMany({
    where: { identityId, webhookId: id, status: 'pending', eventPosition: { not: null } },
    distinct: ['eventType'],
    select: { eventType: true },
  });
  requireReadable(actor, [...events, ...waiting.map(({ eventType }) => eventType)]);
}

type Fields = Partial<Pick<Webhook, 'url' | 'events' | 'description' | 'status'>>;

function definedFields({ url, events, description, status }: Omit<UpdateWebhookInput, 'webhookId'>): Fields {
  return {
    ...(url === undefined ? {} : { url }),
    ...(events === undefined ? {} : { events }),
    ...(description === undefined ? {} : { description }),
    ...(status === undefined ? {} : { status }),
  };
}

function changes(before: Webhook, fields: Partial<Webhook>): boolean {
  return Object.entries(fields).some(([name, value]) => JSON.stringify(before[name as keyof Webhook]) !== JSON.stringify(value));
}

/** Removes a webhook; a job removes its deliveries, which nothing shows any more. @throws AppError not_found */
export async function deleteWebhook(actor: IdentityActor, webhookId: string): Promise<void> {
  await prismaTransaction(actor, async (tx) => {
    const { identityId, id } = await lockWebhook(tx, actor.identityId, webhookId);
    await tx.webhook.delete({ where: { identityId_id: { identityId, id } } });
    await removeLater(rawStatements(tx), { identityId, id });
  });
}

/** Gives a webhook another secret; for a day, deliveries are signed with the old one as well. @throws AppError not_found */
export async function rotateSecret(actor: IdentityActor, webhookId: string): Promise<WebhookWithSecret> {
  return prismaTransaction(actor, async (tx) => {
    const { identityId, id, secret: oldSecret } = await lockWebhook(tx, actor.identityId, webhookId);
    const { secret, sealed } = newSecret(id);
    const after = await tx.webhook.update({
      where: { identityId_id: { identityId, id } },
      data: { secret: sealed, oldSecret, oldSecretUntil: new Date(Date.now() + overlap), updatedAt: new Date() },
    });
    return { ...toWebhook(after), secret };
  });
}

/** `admin webhook create`. @throws AppError as `createWebhook`, not_found for an unknown handle */
export async function createWebhookForHandle(handle: string, input: CreateWebhookInput): Promise<WebhookWithSecret> {
  return createWebhook(await operatorActingFor(handle), input);
}

/** `admin webhook list`. @throws AppError not_found for an unknown handle */
export async function listWebhooksForHandle(handle: string): Promise<WebhookList> {
  return listWebhooks(await operatorActingFor(handle));
}
