import type pg from 'pg';
import { identities } from '@/server/platform/auth/accounts.sql';
import { networkOf } from '@/server/platform/auth/client-network';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { AppError } from '@/server/platform/errors';
import { isPublicAddress } from '@/server/platform/fetch/destination';
import { type Plan, planTerms } from '@/server/platform/plan';
import { quotasOf } from './plan-limits';

/**
 * Bytes of mail that one sender may bring in for an identity on one UTC day (docs/adr/0016): a part of the plan's storage, so that
 * nobody who has no account fills it in a day.
 */

/** Where a message comes from. */
export interface MailSource {
  source: 'smtp' | 'http' | 'imap';
  /** The return path; '' is the null one; null if unknown. */
  sender: string | null;
  /** Missing for our own. */
  clientAddress?: string;
}

const senderLength = 255;

/**
 * Whom a message is counted for: the network that it comes from. What an own mail server or a mail service passes on all comes
 * from the same address, so there it is the domain of the return path. Null for our own, and where a mail service does not pass the return path on.
 */
export function senderOf({ source, sender, clientAddress }: MailSource): string | null {
  if (clientAddress === undefined) return null;
  // A mail service that does not say it: nobody can be told apart.
  if (source === 'http' && sender === null) return null;
  if (source === 'smtp' && isPublicAddress(clientAddress)) return networkOf(clientAddress);
  return `@${sender?.split('@').at(-1)?.toLowerCase() ?? ''}`.slice(0, senderLength);
}

interface SenderDay {
  plan: Plan | null;
  bytes: number;
  /** Seconds until the next UTC day, and its beginning in Unix seconds. */
  resetIn: number;
  reset: number;
}

const endOfDay = `extract(epoch FROM ((now() AT TIME ZONE 'UTC')::date + 1)::timestamp AT TIME ZONE 'UTC')`;
const times = `(${endOfDay} - extract(epoch FROM now()))::float8 AS "resetIn", ${endOfDay}::float8 AS reset`;

/**
 * Counts a message that a transaction has stored, inside it. Other mail of the same sender waits for its end, so call it last.
 *
 * @param size in bytes, as it came
 * @throws AppError quota_exceeded if it exceeds the plan's quota of this UTC day; the caller must roll back
 */
export async function countFromSender(client: pg.PoolClient, identityId: string, from: MailSource, size: number): Promise<void> {
  const sender = senderOf(from);
  if (sender === null) return;
  const [day] = await rows<SenderDay>(client, {
    name: 'sender-day-count',
    text: `INSERT INTO sender_days AS known (identity_id, day, sender, bytes) VALUES ($1, (now() AT TIME ZONE 'UTC')::date, $2, $3)
      ON CONFLICT (identity_id, day, sender) DO UPDATE SET bytes = known.bytes + excluded.bytes
      RETURNING bytes::float8, (SELECT plan FROM ${identities} identities WHERE id = $1) AS plan, ${times}`,
    values: [identityId, sender, size],
  });
  if (day && isBeyond(day, 0)) throw senderQuotaExceeded(day);
}

/**
 * Before any work is done.
 *
 * @param size in bytes, as announced; 0 if nothing is
 * @throws AppError quota_exceeded if the sender may not bring in as much
 */
export async function requireRoomForSender(identityId: string, from: MailSource, size: number): Promise<void> {
  const sender = senderOf(from);
  if (sender === null) return;
  const [day] = await rows<SenderDay>(pool(), {
    name: 'sender-day',
    text: `SELECT i.plan, coalesce(d.bytes, 0)::float8 AS bytes, ${times} FROM ${identities} i
      LEFT JOIN sender_days d ON d.identity_id = i.id AND d.day = (now() AT TIME ZONE 'UTC')::date AND d.sender = $2 WHERE i.id = $1`,
    values: [identityId, sender],
  });
  if (day && isBeyond(day, Math.max(1, size))) throw senderQuotaExceeded(day);
}

/** @param more bytes that are to come */
function isBeyond({ plan, bytes }: SenderDay, more: number): boolean {
  if (!plan) return false;
  const { senderBytesPerDay } = quotasOf(plan);
  return senderBytesPerDay >= 0 && bytes + more > senderBytesPerDay;
}

function senderQuotaExceeded({ plan, reset, resetIn }: SenderDay): AppError {
  const message = 'This sender has sent as much to this business as a sender may in a day. The day ends at 00:00 UTC.';
  const label = plan ? planTerms[plan].label : '';
  const limit = plan ? quotasOf(plan).senderBytesPerDay : 0;
  return new AppError('quota_exceeded', message, {
    details: { quota: 'sender', limit, remaining: 0, resetAt: new Date(reset * 1000).toISOString(), plan: label },
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(resetIn))) },
  });
}

export async function removeOldSenderDays(): Promise<void> {
  await pool().query(`DELETE FROM sender_days WHERE day < (now() AT TIME ZONE 'UTC')::date - 1`);
}
