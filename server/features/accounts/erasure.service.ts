import type pg from 'pg';
import { withLease } from '@/server/platform/db/lease';
import { pool } from '@/server/platform/db/pool';
import { inBatches, removedBy, removeInBatches } from '@/server/platform/db/remove-in-batches';
import { rows } from '@/server/platform/db/sql';
import { readTables } from '@/server/platform/db/tables';
import { allFeatures } from '@/server/platform/feature';
import { everyMinutes, removeJobsOf, StandingJob } from '@/server/platform/jobs/job';
import { log } from '@/server/platform/log';

/**
 * Deleting an identity with all its rows. The owner's request only marks it (`erased_at`), which hides it from everything; a job
 * removes the rows in short transactions, so that a business with years of mail delays nobody. The job can stop anywhere and
 * be repeated.
 */

/**
 * Tables with rows of identities, those that refer to others first. Rows that are not found by their identity go with those that they
 * belong to, by a cascade. Nothing may be left to cascade from the identity itself, which would be one long statement.
 */
async function erasedTables(): Promise<string[]> {
  const tables = await readTables(pool());
  // The server may not delete entries of the audit log itself.
  const ofIdentities = tables.filter(({ name, indexed }) => indexed.includes('identity_id') && name !== 'audit_entries');
  return ofIdentities.map(({ name }) => name).reverse();
}

/** Rows per transaction; each may take others along, such as a message its attachments. */
const batchSize = 1_000;

/**
 * Seconds after the deletion during which a request that began before may still write rows. The identity's own row stays until
 * then, so that its rows are found.
 */
const settleSeconds = 600;

/**
 * Marks a locked identity as deleted: frees its handle and address, ends its keys, and lets each feature end what must not go on, such as
 * unsent mail. The job follows when the transaction has committed.
 */
export async function markErased(client: pg.PoolClient, identityId: string): Promise<void> {
  // The audit log gets a single entry, for the identity itself.
  await client.query(`SELECT set_config('frontdesk.erased', $1, true)`, [identityId]);
  // No handle contains a colon, so nobody's is taken.
  await client.query({
    name: 'identity-mark-erased',
    text: `UPDATE identities SET erased_at = now(), handle = ':' || id, address = NULL, address_proof = NULL, display_name = NULL, profile = NULL
      WHERE id = $1`,
    values: [identityId],
  });
  for (const { withdraw } of allFeatures()) await withdraw?.(client, identityId);
  // Stored responses of idempotent dashboard calls contain data of the business, too.
  await client.query('DELETE FROM idempotent_requests r USING memberships m WHERE m.identity_id = $1 AND r.user_id = m.user_id', [
    identityId,
  ]);
  await client.query(`SELECT set_config('frontdesk.erased', '', true)`);
  await erasure.wake(client);
}

/** Removes the rows of all deleted identities; the identity itself once no request can write for it any more. */
export async function eraseIdentities(signal?: AbortSignal): Promise<void> {
  const erased = await rows<{ id: string; isSettled: boolean }>(pool(), {
    name: 'identities-erased',
    text: `SELECT id, erased_at < now() - make_interval(secs => $1) AS "isSettled" FROM identities
      WHERE erased_at IS NOT NULL ORDER BY erased_at`,
    values: [settleSeconds],
  });
  for (const { id, isSettled } of erased) await withLease(`erase:${id}`, () => eraseIdentity(id, isSettled, signal));
}

async function eraseIdentity(identityId: string, isSettled: boolean, signal?: AbortSignal): Promise<void> {
  const condition = 'identity_id = $1';
  for (const table of await erasedTables()) {
    await removeInBatches({ table, condition, values: [identityId], erased: identityId, batchSize, signal });
  }
  const text = 'SELECT erase_audit_entries($1, $2) AS removed';
  await inBatches((client, size) => removedBy(client, text, [identityId, size]), { batchSize, erased: identityId, signal });
  await removeJobsOf(pool(), identityId);
  if (!isSettled) return;
  await pool().query('DELETE FROM identities WHERE id = $1 AND erased_at IS NOT NULL', [identityId]);
  log().info({ identityId }, 'a deleted business was erased');
}

/** Also every ten minutes, for those that are not settled yet. */
export const erasure = new StandingJob('erase-identities', everyMinutes(10), eraseIdentities);
