import type pg from 'pg';
import { identities } from '@/server/platform/auth/accounts.sql';
import { pool } from '@/server/platform/db/pool';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { inSavepoint } from '@/server/platform/db/transaction';
import { AppError, isAppError } from '@/server/platform/errors';
import { onSundays, StandingJob } from '@/server/platform/jobs/job';
import { log } from '@/server/platform/log';
import { type Plan, planTerms } from '@/server/platform/plan';
import { quotasOf } from './plan-limits';
import type { UsageOverview } from './usage.schema';

/** Quotas of an identity by its plan (docs/adr/0016): mail and recipients per UTC day, and storage. */

const grouped = new Intl.NumberFormat('en-US');

interface MailDay {
  /** Counted for the identity, and what counts for it of those that its owner deleted today. */
  mails: number;
  recipients: number;
  plan: Plan;
  /** Seconds until the next UTC day, and its beginning in Unix seconds. */
  resetIn: number;
  reset: number;
}

const today = `(now() AT TIME ZONE 'UTC')::date`;

/** The UTC day of `$4`; without it, today. */
const chosenDay = `(coalesce($4::timestamptz, now()) AT TIME ZONE 'UTC')::date`;

/** What its owner's identities that were deleted on a day have sent counts for one that was created on that day, here `i`. */
const inherited = (column: 'mails' | 'recipients', day: string) => `coalesce((SELECT o.${column} FROM owner_mail_days o
    WHERE o.user_id = i.owner_user_id AND o.day = ${day} AND (i.created_at AT TIME ZONE 'UTC')::date = o.day), 0)`;

/**
 * Counts the mail of a transaction, inside it: other transactions that send for this identity wait for its end, so the quota is
 * exact, and a rollback undoes the count.
 *
 * @param sendAt when it is sent, if that is later: it counts for that UTC day
 * @throws AppError quota_exceeded if it would exceed the plan's quota of the day
 */
export async function countMails(
  client: pg.PoolClient,
  identityId: string,
  mails: number,
  recipients: number,
  sendAt?: Date,
): Promise<void> {
  const [day] = await rows<MailDay>(client, {
    name: 'mail-day-count',
    text: `WITH own AS (
        INSERT INTO mail_days AS known (identity_id, day, mails, recipients) VALUES ($1, ${chosenDay}, $2, $3)
        ON CONFLICT (identity_id, day) DO UPDATE
        SET mails = known.mails + excluded.mails, recipients = known.recipients + excluded.recipients
        RETURNING day, mails, recipients
      )
      SELECT own.mails + ${inherited('mails', 'own.day')} AS mails, own.recipients + ${inherited('recipients', 'own.day')} AS recipients, i.plan,
        extract(epoch FROM ((own.day + 1)::timestamp AT TIME ZONE 'UTC') - now())::float8 AS "resetIn",
        extract(epoch FROM (own.day + 1)::timestamp AT TIME ZONE 'UTC')::float8 AS reset
      FROM own, ${identities} i WHERE i.id = $1`,
    values: [identityId, mails, recipients, sendAt ?? null],
  });
  // Of an identity that has just been deleted, nothing is sent any more.
  if (!day) return;
  const { mailsPerDay, recipientsPerDay } = quotasOf(day.plan);
  if (mailsPerDay >= 0 && day.mails > mailsPerDay) throw mailQuotaExceeded('mails', mailsPerDay, day.mails - mails, day);
  if (recipientsPerDay >= 0 && day.recipients > recipientsPerDay) {
    throw mailQuotaExceeded('recipients', recipientsPerDay, day.recipients - recipients, day);
  }
}

/** Takes back what `countMails` has counted for mail that is not sent after all. @param sendAt when it would have been sent */
export async function uncountMail(client: pg.PoolClient, identityId: string, recipients: number, sendAt: Date): Promise<void> {
  await client.query({
    name: 'mail-day-uncount',
    text: `UPDATE mail_days SET mails = greatest(0, mails - $2), recipients = greatest(0, recipients - $3)
      WHERE identity_id = $1 AND day = ${chosenDay}`,
    values: [identityId, 1, recipients, sendAt],
  });
}

/** Keeps what an identity has sent today for those that its owner creates today; in the transaction that deletes it. */
export async function keepMailDay(client: pg.PoolClient, identityId: string): Promise<void> {
  await client.query({
    name: 'mail-day-keep',
    text: `INSERT INTO owner_mail_days AS known (user_id, day, mails, recipients)
      SELECT i.owner_user_id, d.day, d.mails, d.recipients FROM mail_days d JOIN ${identities} i ON i.id = d.identity_id
        WHERE d.identity_id = $1 AND d.day = ${today} FOR UPDATE OF d
      ON CONFLICT (user_id, day) DO UPDATE
      SET mails = known.mails + excluded.mails, recipients = known.recipients + excluded.recipients`,
    values: [identityId],
  });
}

function mailQuotaExceeded(
  quota: 'mails' | 'recipients',
  limit: number,
  used: number,
  { plan, reset, resetIn }: MailDay,
): AppError {
  const { label } = planTerms[plan];
  const what = quota === 'mails' ? 'emails' : 'recipients of email';
  const message = `The plan ${label} allows ${grouped.format(limit)} ${what} a day, and ${grouped.format(used)} are used. The day ends at 00:00 UTC.`;
  const resetAt = new Date(reset * 1000).toISOString();
  return new AppError('quota_exceeded', message, {
    details: { quota, limit, used, remaining: Math.max(0, limit - used), resetAt, plan: label },
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(resetIn))) },
  });
}

/** When mail may be sent again; null for any error but an exceeded mail quota. */
export function mailQuotaReset(error: unknown): Date | null {
  if (!isAppError(error) || error.code !== 'quota_exceeded' || typeof error.details?.resetAt !== 'string') return null;
  return new Date(error.details.resetAt);
}

interface Storage {
  plan: Plan;
  bytes: number;
}

async function readStorage(db: Queryable, identityId: string): Promise<Storage | undefined> {
  const [found] = await rows<Storage>(db, {
    name: 'storage-of-identity',
    text: `SELECT i.plan, coalesce((SELECT sum(bytes) FROM storage_usage WHERE identity_id = i.id), 0)::float8 AS bytes
      FROM ${identities} i WHERE i.id = $1`,
    values: [identityId],
  });
  return found;
}

/** Bytes that concurrent transactions may add; closer to the quota than this, they are serialized. */
const concurrencyMargin = 256 * 1024 * 1024;

/**
 * Checks the quota after a transaction has stored data for an identity; the triggers of its tables have counted it.
 *
 * @throws AppError quota_exceeded if it exceeds the plan's quota; the caller must roll back
 */
export async function requireStorage(client: pg.PoolClient, identityId: string): Promise<void> {
  const first = await readStorage(client, identityId);
  if (!first) return;
  const { storageBytes } = quotasOf(first.plan);
  if (storageBytes < 0 || first.bytes + concurrencyMargin <= storageBytes) return;
  await client.query({
    name: 'storage-lock',
    text: `SELECT pg_advisory_xact_lock(hashtextextended('storage:' || $1, 0))`,
    values: [identityId],
  });
  const settled = await readStorage(client, identityId);
  if (settled && settled.bytes > storageBytes) throw storageExceeded(settled, storageBytes);
}

/** @throws AppError quota_exceeded if the storage is full, before any work is done */
export async function requireFreeStorage(identityId: string): Promise<void> {
  const storage = await readStorage(pool(), identityId);
  if (!storage) return;
  const { storageBytes } = quotasOf(storage.plan);
  if (storageBytes >= 0 && storage.bytes >= storageBytes) throw storageExceeded(storage, storageBytes);
}

/** Retry-After in seconds: people have to free storage first. */
const retryWhenFull = 3600;

function storageExceeded({ plan }: Storage, limit: number): AppError {
  const { label } = planTerms[plan];
  const message = `The storage of this business is full: the plan ${label} includes ${grouped.format(limit)} bytes of mail, attachments and pictures.`;
  return new AppError('quota_exceeded', message, {
    details: { quota: 'storage', limit, remaining: 0, resetAt: null, plan: label },
    headers: { 'Retry-After': String(retryWhenFull) },
  });
}

/**
 * Does something for each of several identities, or their parts of something, in one transaction. If an identity's storage is full, only its part is rolled
 * back: it must not keep the others from their mail.
 *
 * @returns the results, and the refusal if there was one
 */
export async function forEachWithinQuota<Part, T>(
  client: pg.PoolClient,
  parts: readonly Part[],
  work: (part: Part) => Promise<T>,
): Promise<{ done: T[]; refusal: AppError | null }> {
  const done: T[] = [];
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return { done: [await work(only)], refusal: null };
  let refusal: AppError | null = null;
  for (const part of parts) {
    try {
      done.push(await inSavepoint(client, () => work(part)));
    } catch (error) {
      if (!isAppError(error) || error.code !== 'quota_exceeded') throw error;
      refusal = error;
    }
  }
  return { done, refusal };
}

/** The use of an identity's quotas today; a limit of -1 is unlimited. */
export async function getQuotaUse(identityId: string): Promise<UsageOverview['quotas']> {
  const [found] = await rows<Storage & { mails: number; recipients: number }>(pool(), {
    name: 'quota-use',
    text: `SELECT i.plan, coalesce((SELECT sum(bytes) FROM storage_usage WHERE identity_id = i.id), 0)::float8 AS bytes,
        coalesce(d.mails, 0) + ${inherited('mails', today)} AS mails, coalesce(d.recipients, 0) + ${inherited('recipients', today)} AS recipients
      FROM ${identities} i LEFT JOIN mail_days d ON d.identity_id = i.id AND d.day = ${today} WHERE i.id = $1`,
    values: [identityId],
  });
  if (!found) throw new AppError('identity_not_found', 'The identity no longer exists.');
  const { mailsPerDay, recipientsPerDay, storageBytes } = quotasOf(found.plan);
  return {
    mails: { current: found.mails, limit: mailsPerDay },
    recipients: { current: found.recipients, limit: recipientsPerDay },
    storage: { current: Math.max(0, found.bytes), limit: storageBytes },
  };
}

/**
 * Corrects storage counters that differ from the actual use. Both are read in one statement, and so at the same moment; the
 * difference is added, so concurrent changes are kept.
 */
export async function reconcileStorage(): Promise<void> {
  const { rows: mended } = await pool().query<{ identity_id: string }>({
    name: 'storage-reconcile',
    text: `WITH stored AS (SELECT identity_id, sum(bytes) AS bytes FROM stored_bytes GROUP BY identity_id),
        counted AS (SELECT identity_id, sum(bytes) AS bytes FROM storage_usage GROUP BY identity_id)
      INSERT INTO storage_usage AS known (identity_id, shard, bytes)
      SELECT i.id, 0, coalesce(s.bytes, 0) - coalesce(c.bytes, 0) FROM ${identities} i
        LEFT JOIN stored s ON s.identity_id = i.id LEFT JOIN counted c ON c.identity_id = i.id
        WHERE coalesce(s.bytes, 0) <> coalesce(c.bytes, 0) ORDER BY i.id
      ON CONFLICT (identity_id, shard) DO UPDATE SET bytes = known.bytes + excluded.bytes
      RETURNING identity_id`,
  });
  if (mended.length > 0) log().warn({ identities: mended.length }, 'the counters of storage were set right');
}

/** Reads every message, so it runs once a week. */
export const storageReconciliation = new StandingJob('reconcile-storage', onSundays(4, 11), reconcileStorage);

export async function removeOldMailDays(): Promise<void> {
  await pool().query(`DELETE FROM mail_days WHERE day < ${today} - 90`);
  await pool().query(`DELETE FROM owner_mail_days WHERE day < ${today} - 1`);
}
