import { v7 } from 'uuid';
import type { IdentityActor } from '@/server/platform/actor';
import { beyondNewest, pageOf } from '@/server/platform/db/newest-first';
import { pool } from '@/server/platform/db/pool';
import { removeInBatches } from '@/server/platform/db/remove-in-batches';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { env } from '@/server/platform/env';
import { notFound } from '@/server/platform/errors';
import type { RawMail } from '@/server/platform/mail/raw-mail';
import { forEachWithinQuota, requireStorage } from '../usage/quota.service';
import { countFromSender, type MailSource } from '../usage/sender-quota.service';
import type { QuarantinedMailRecord, QuarantineList } from './mail.schema';

/** Why a message could not be stored. */
export interface QuarantineReason {
  reason: 'unparsable' | 'too_large';
  /** For people. */
  detail: string;
}

export interface Envelope extends MailSource {
  recipients: string[];
}

/** One identity's share of a message: its own addresses among the recipients. */
interface QuarantineShare {
  identityId: string;
  recipients: string[];
}

/**
 * Quarantines a message for each recipient identity, with its bytes. Repeating it with the same bytes changes nothing.
 *
 * @returns the ids, one per identity, in the same order
 * @throws AppError quota_exceeded if the storage of one of them is full, or the sender has sent it too much today; after storing it for the others
 */
export async function quarantineMail(
  shares: readonly QuarantineShare[],
  raw: RawMail,
  from: MailSource,
  { reason, detail }: QuarantineReason,
): Promise<string[]> {
  const file = await raw.store();
  const { done, refusal } = await transaction({ kind: 'system', cause: 'mail' }, (client) =>
    forEachWithinQuota(client, shares, async ({ identityId, recipients }) => {
      const [stored] = await rows<{ id: string; isNew: boolean }>(client, {
        name: 'quarantine-insert',
        text: `INSERT INTO quarantined_mails (id, identity_id, reason, detail, source, sender, recipients, size, sha256, is_truncated)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            ON CONFLICT (identity_id, sha256) DO UPDATE SET detail = excluded.detail
            RETURNING id, xmax = 0 AS "isNew"`,
        values: [
          v7(),
          identityId,
          reason,
          detail.slice(0, 1000),
          from.source,
          from.sender,
          recipients,
          file.size,
          file.sha256,
          raw.isTruncated,
        ],
      });
      if (!stored) throw new Error('A message just put aside is there.');
      if (stored.isNew) {
        await requireStorage(client, identityId);
        await countFromSender(client, identityId, from, file.size);
      }
      return stored.id;
    }),
  );
  if (refusal) throw refusal;
  return done;
}

const quarantinePageSize = 50;

/** Messages in quarantine, newest first, paged. */
export async function listQuarantine(actor: IdentityActor, before: string | undefined): Promise<QuarantineList> {
  const found = await rows<QuarantinedMailRecord>(pool(), {
    name: 'quarantine-list',
    isoTimes: true,
    text: `SELECT id, reason, detail, source, sender, recipients, size, is_truncated AS "isTruncated", created_at AS "createdAt"
      FROM quarantined_mails WHERE identity_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3`,
    values: [actor.identityId, before ?? beyondNewest, quarantinePageSize + 1],
  });
  const { page: messages, next } = pageOf(found, quarantinePageSize);
  return { messages, next };
}

/** @throws AppError not_found */
export async function removeQuarantined(actor: IdentityActor, id: string): Promise<void> {
  const removed = await transaction(actor, (client) =>
    rows(client, {
      name: 'quarantine-remove',
      text: 'DELETE FROM quarantined_mails WHERE identity_id = $1 AND id = $2 RETURNING 1',
      values: [actor.identityId, id],
    }),
  );
  if (removed.length === 0) throw notFound();
}

/** Hash and file name of a quarantined message's original bytes. @throws AppError not_found */
export async function quarantinedContent(actor: IdentityActor, id: string): Promise<{ sha256: string; filename: string }> {
  const [found] = await rows<{ sha256: string }>(pool(), {
    name: 'quarantine-content',
    text: 'SELECT sha256 FROM quarantined_mails WHERE identity_id = $1 AND id = $2',
    values: [actor.identityId, id],
  });
  if (!found) throw notFound();
  return { sha256: found.sha256, filename: `quarantined-${id}.eml` };
}

/** Removes messages older than QUARANTINE_RETENTION_DAYS; the sweep of files removes their bytes. */
export async function removeOldQuarantine(signal?: AbortSignal): Promise<void> {
  const days = env().QUARANTINE_RETENTION_DAYS;
  if (days === 0) return;
  const condition = 'created_at < now() - make_interval(days => $1)';
  await removeInBatches({ table: 'quarantined_mails', condition, values: [days], erased: '*', signal });
}
