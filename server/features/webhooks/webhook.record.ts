import type { Webhook } from '@/server/platform/db/generated/client';
import type { PrismaTransaction } from '@/server/platform/db/transaction';
import { notFound } from '@/server/platform/errors';
import type { DisabledReason, WebhookRecord } from './webhook.schema';

/** A webhook as GET answers it. */
export function toWebhook(row: Omit<Webhook, 'secret' | 'oldSecret'>): WebhookRecord {
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    description: row.description,
    status: row.status,
    failingSince: row.failingSince?.toISOString() ?? null,
    revision: row.revision,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    disabledReason: row.disabledReason as DisabledReason | null,
  };
}

/** Locks a webhook until the transaction ends. @throws AppError not_found */
export async function lockWebhook(tx: PrismaTransaction, identityId: string, id: string): Promise<Webhook> {
  await tx.$queryRaw`SELECT 1 FROM webhooks WHERE identity_id = ${identityId}::uuid AND id = ${id}::uuid FOR NO KEY UPDATE`;
  const webhook = await tx.webhook.findUnique({ where: { identityId_id: { identityId, id } } });
  if (!webhook) throw notFound();
  return webhook;
}
