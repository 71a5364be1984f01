import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type pg from 'pg';
import { v7 } from 'uuid';
import type { IdentityActor } from '@/server/platform/actor';
import { users } from '@/server/platform/auth/accounts.sql';
import { authSecret } from '@/server/platform/auth/session-token';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { AppError, invalidFields } from '@/server/platform/errors';
import { languageOf } from '@/server/platform/languages.schema';
import { canSendMail } from '@/server/platform/mail/smtp-transport';
import { sendAccountMail } from '../outbox/account-mail.service';
import type { ConfirmAddressCodeInput } from './address.schema';
import { addressRefused, obstacleTo } from './address-claim.service';
import { addressCodeMail } from './address-code-mail';
import { lockAddress, proveAddress, tooMany } from './address-proof';
import { beforeIdentitiesChange } from './identity-record.service';

/**
 * Proving an address by a code mailed to it. A code has 8 digits, five attempts and one hour; an owner gets five codes a day
 * for one address, so guessing succeeds once in four million days. An address gets at most twenty codes a day from all owners,
 * against flooding its mailbox.
 */

/** Attempts per code. */
export const codeAttempts = 5;
const codeMinutes = 60;
/** Minimum interval between two codes to one address, in seconds. */
const codePause = 60;
const codesPerAddress = 20;
const codesPerOwnerAndAddress = 5;
const codesPerOwner = 20;
const day = 86_400;

function hashOf(address: string, code: string): Buffer {
  return createHmac('sha256', authSecret()).update(`address-code\n${address}\n${code}`).digest();
}

/** Serializes concurrent requests, so that each one counts the others. */
async function refuseTooMany(client: pg.PoolClient, address: string, ownerUserId: string): Promise<void> {
  await client.query({
    name: 'address-code-lock',
    text: `SELECT pg_advisory_xact_lock(hashtextextended('address-code:' || $1, 0))`,
    values: [address],
  });
  await client.query({
    name: 'address-code-owner-lock',
    text: `SELECT 1 FROM ${users} users WHERE id = $1 FOR NO KEY UPDATE`,
    values: [ownerUserId],
  });
  // A code from a clock that was ahead counts as sent just now.
  const recent = `created_at > now() - make_interval(secs => ${day})`;
  const [sent] = await rows<{ toAddress: number; byOwner: number; byOwnerToAddress: number; pause: number | null }>(client, {
    name: 'address-code-count',
    text: `SELECT
        (SELECT count(*)::int FROM address_codes WHERE address = $1 AND ${recent}) AS "toAddress",
        (SELECT count(*)::int FROM address_codes WHERE owner_user_id = $2 AND ${recent}) AS "byOwner",
        (SELECT count(*)::int FROM address_codes WHERE address = $1 AND owner_user_id = $2 AND ${recent}) AS "byOwnerToAddress",
        (SELECT ${codePause} - extract(epoch FROM now() - max(least(created_at, now())))::float8
          FROM address_codes WHERE address = $1 AND owner_user_id = $2) AS pause`,
    values: [address, ownerUserId],
  });
  const { toAddress = 0, byOwner = 0, byOwnerToAddress = 0, pause = null } = sent ?? {};
  if (byOwnerToAddress >= codesPerOwnerAndAddress || toAddress >= codesPerAddress) {
    throw tooMany(
      'Too many codes were sent to this address today. Try again tomorrow, or prove its domain by a TXT record.',
      day,
    );
  }
  if (byOwner >= codesPerOwner) {
    throw tooMany(
      'Too many codes were sent for your account today. Try again tomorrow, or prove the domain by a TXT record.',
      day,
    );
  }
  if (pause !== null && pause > 0) {
    throw tooMany(`A code was sent just now. Wait ${Math.ceil(pause)} seconds before you ask for another one.`, pause);
  }
}

/**
 * Mails a code to a pending address; the previous code becomes invalid.
 *
 * @throws AppError not_found; conflict if it is proven, unavailable, or mail can't be sent; rate_limit_exceeded
 */
export async function sendAddressCode(actor: IdentityActor, address: string): Promise<void> {
  await transaction(actor, async (client) => {
    const stored = await lockAddress(client, actor.identityId, address);
    if (stored.status === 'proven') throw new AppError('conflict', `${address} is proven already.`);
    const obstacle = await obstacleTo(client, actor.identityId, address);
    if (obstacle) throw addressRefused(address, obstacle);
    if (!canSendMail()) {
      throw new AppError(
        'conflict',
        'This installation can’t send codes because SMTP_URL is not set. Prove the domain by its TXT record, or ask your administrator to verify the address.',
      );
    }
    await refuseTooMany(client, address, stored.ownerUserId);
    // In the language of the person who asks, or of the owner where an app does.
    const askedBy = actor.kind === 'session' ? actor.userId : stored.ownerUserId;
    const code = String(randomInt(0, 100_000_000)).padStart(8, '0');
    const [created] = await rows<{ expiresAt: Date; handle: string; language: string }>(client, {
      name: 'address-code-insert',
      text: `INSERT INTO address_codes (id, owner_user_id, address, hash, expires_at)
        VALUES ($5, $1, $2, $3, now() + make_interval(mins => ${codeMinutes}))
        RETURNING expires_at AS "expiresAt", (SELECT handle FROM identities WHERE id = $4) AS handle,
          (SELECT language FROM ${users} u WHERE u.id = $6) AS language`,
      values: [stored.ownerUserId, address, hashOf(address, code), actor.identityId, v7(), askedBy],
    });
    if (!created) throw new Error('A code just written is there.');
    const about = { handle: created.handle, address, code, minutes: codeMinutes, attempts: codeAttempts };
    await sendAccountMail(client, {
      to: address,
      ...addressCodeMail(languageOf(created), about),
      expiresAt: created.expiresAt,
    });
  });
}

/**
 * Proves an address by the code mailed to it. The attempt is counted before the code is checked, whatever the outcome.
 *
 * @throws AppError not_found; invalid_request for a wrong or expired code; conflict if another business was first
 */
export async function confirmAddressCode(actor: IdentityActor, { address, code }: ConfirmAddressCodeInput): Promise<void> {
  const attempt = await transaction(actor, async (client) => {
    const stored = await lockAddress(client, actor.identityId, address);
    if (stored.status === 'proven') return null;
    const [found] = await rows<{ id: string; hash: Buffer; attempts: number }>(client, {
      name: 'address-code-attempt',
      text: `UPDATE address_codes SET attempts = attempts + 1
        WHERE id = (SELECT id FROM address_codes WHERE owner_user_id = $1 AND address = $2 ORDER BY created_at DESC, id DESC LIMIT 1)
          AND attempts < ${codeAttempts} AND expires_at > now() RETURNING id, hash, attempts`,
      values: [stored.ownerUserId, address],
    });
    if (!found) throw invalidFields({ code: 'has expired or was tried too often. Send a new one' });
    return found;
  });
  if (attempt === null) return;
  if (!timingSafeEqual(attempt.hash, hashOf(address, code))) {
    const left = codeAttempts - attempt.attempts;
    throw invalidFields({
      code: left > 0 ? `is wrong. ${left === 1 ? 'One attempt is' : `${left} attempts are`} left` : 'is wrong. Send a new one',
    });
  }
  await transaction(actor, async (client) => {
    const announce = await beforeIdentitiesChange(client, [actor.identityId]);
    const stored = await lockAddress(client, actor.identityId, address);
    await proveAddress(client, stored, 'code');
    await client.query({
      name: 'address-code-used',
      text: 'UPDATE address_codes SET expires_at = now() WHERE id = $1',
      values: [attempt.id],
    });
    await announce(actor);
  });
}
