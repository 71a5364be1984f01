import { v7 as uuidv7 } from 'uuid';
import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { serialize } from '@/server/platform/db/serialize';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { AppError, invalidFields, notFound } from '@/server/platform/errors';
import { ownAddresses } from '../own-addresses/own-address.service';
import { blockedSendersMaximum } from './blocked-sender.limits';
import type { BlockedSender, BlockedSenderList, BlockSenderInput } from './blocked-sender.schema';

/** Senders whose email begins conversations as spam, and brings no conversation back to the inbox. */

const columns = 'id, identity_id AS "identityId", sender, created_at AS "createdAt"';

/** `GET /blocked-senders`: all of the business, by name. */
export async function listBlockedSenders({ identityId }: IdentityActor): Promise<BlockedSenderList> {
  const blockedSenders = await rows<BlockedSender>(pool(), {
    name: 'blocked-senders',
    isoTimes: true,
    text: `SELECT ${columns} FROM blocked_senders WHERE identity_id = $1 ORDER BY sender LIMIT ${blockedSendersMaximum}`,
    values: [identityId],
  });
  return { blockedSenders, total: blockedSenders.length };
}

/**
 * `POST /blocked-senders`. A sender who is blocked already stays blocked.
 * @returns the record, and whether it existed before
 * @throws AppError invalid_request for an address of the business; conflict at 1,000 of them
 */
export function blockSender(
  actor: IdentityActor,
  { sender }: BlockSenderInput,
): Promise<{ blockedSender: BlockedSender; isKnown: boolean }> {
  const { identityId } = actor;
  return transaction(actor, async (client) => {
    await serialize(client, 'blocked-senders', identityId);
    const known = await findBySender(client, identityId, sender);
    if (known) return { blockedSender: known, isKnown: true };
    if ((await ownAddresses(client, identityId)).has(sender)) throw invalidFields({ sender: 'is an address of this business' });
    const [counted] = await rows<{ total: number }>(client, {
      name: 'blocked-senders-count',
      text: 'SELECT count(*)::int AS total FROM blocked_senders WHERE identity_id = $1',
      values: [identityId],
    });
    if (counted && counted.total >= blockedSendersMaximum) {
      throw new AppError('conflict', `A business blocks at most ${blockedSendersMaximum} senders.`);
    }
    await client.query({
      name: 'blocked-sender-insert',
      text: 'INSERT INTO blocked_senders (identity_id, id, sender) VALUES ($1, $2, $3)',
      values: [identityId, uuidv7(), sender],
    });
    const blockedSender = await findBySender(client, identityId, sender);
    if (!blockedSender) throw new Error('A row that was just written exists.');
    return { blockedSender, isKnown: false };
  });
}

async function findBySender(db: Queryable, identityId: string, sender: string): Promise<BlockedSender | undefined> {
  const [found] = await rows<BlockedSender>(db, {
    name: 'blocked-sender-by-sender',
    isoTimes: true,
    text: `SELECT ${columns} FROM blocked_senders WHERE identity_id = $1 AND sender = $2`,
    values: [identityId, sender],
  });
  return found;
}

/** `DELETE /blocked-senders/{blockedSenderId}` @throws AppError not_found */
export async function unblockSender(actor: IdentityActor, id: string): Promise<void> {
  await transaction(actor, async (client) => {
    const { rowCount } = await client.query({
      name: 'blocked-sender-delete',
      text: 'DELETE FROM blocked_senders WHERE identity_id = $1 AND id = $2',
      values: [actor.identityId, id],
    });
    if (rowCount !== 1) throw notFound();
  });
}

/** Whether email from this address is blocked, by itself or with its domain. */
export async function isBlockedSender(db: Queryable, identityId: string, email: string): Promise<boolean> {
  const address = email.toLowerCase();
  const found = await rows(db, {
    name: 'blocked-sender-matches',
    text: 'SELECT 1 FROM blocked_senders WHERE identity_id = $1 AND sender = ANY($2::text[]) LIMIT 1',
    values: [identityId, [address, address.slice(address.lastIndexOf('@') + 1)]],
  });
  return found.length > 0;
}
