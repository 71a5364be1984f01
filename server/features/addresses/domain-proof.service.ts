import type pg from 'pg';
import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { rows, violatedConstraint } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { AppError } from '@/server/platform/errors';
import { LookupFailure, readTxtRecords } from '@/server/platform/fetch/txt-records';
import { everyMinutes, StandingJob } from '@/server/platform/jobs/job';
import { log } from '@/server/platform/log';
import { logFailure } from '@/server/platform/outage-log';
import { domainOf, lockDomain } from './address-claim.service';
import { ownerAtAddress, recordOf, tooMany } from './address-proof';
import { beforeIdentitiesChange } from './identity-record.service';

/**
 * Proving a whole domain by a TXT record. The record holds a token of this owner, so it proves nothing for another one; of
 * several owners with a record, the first one checked gets the domain.
 */

/** The proof follows from DNS, not from a user, so audit logs of other identities name no user. */
const author = { kind: 'system', cause: 'addresses' } as const;

interface OpenProof {
  ownerUserId: string;
  domain: string;
  token: string;
}

/** Why the record does not prove the domain; null if it does. */
async function problemOf({ domain, token }: OpenProof, signal?: AbortSignal): Promise<string | null> {
  try {
    const found = (await readTxtRecords(domain, signal)).map((text) => text.trim());
    if (found.includes(recordOf(token))) return null;
    if (found.some((text) => text.startsWith(recordOf(''))))
      return `${domain} has a frontdesk-verification record with another value.`;
    return `${domain} has no frontdesk-verification record yet. DNS changes can take some hours.`;
  } catch (error) {
    if (error instanceof LookupFailure) return error.message;
    throw error;
  }
}

const takenProblem = 'Another account has proven this domain first. Ask your administrator.';

/**
 * Looks a domain up and records the result. Idempotent.
 *
 * @throws the reason of `signal`, with nothing recorded
 */
async function checkDomain(proof: OpenProof, signal?: AbortSignal): Promise<void> {
  const problem = await problemOf(proof, signal);
  signal?.throwIfAborted();
  if (problem !== null) return recordProblem(proof, problem);
  try {
    await transaction(author, (client) => recordProven(client, proof));
  } catch (error) {
    if (violatedConstraint(error) !== 'domain_proofs_proven_key') throw error;
    await recordProblem(proof, takenProblem);
  }
}

/** Minutes until the next lookup, by the number of earlier ones; the last interval repeats for a month. */
const lookupIntervals = [1, 2, 5, 10, 30, 60, 240, 720, 1440];
const givenUpAfterDays = 30;

async function recordProblem({ ownerUserId, domain }: OpenProof, problem: string): Promise<void> {
  await pool().query({
    name: 'domain-proof-problem',
    text: `UPDATE domain_proofs SET problem = $3, checked_at = now(), checks = checks + 1,
        next_check_at = CASE WHEN created_at > now() - interval '${givenUpAfterDays} days'
          THEN now() + make_interval(mins => ('{${lookupIntervals.join()}}'::int[])[least(checks + 1, ${lookupIntervals.length})]) END
      WHERE owner_user_id = $1 AND domain = $2 AND proven_at IS NULL`,
    values: [ownerUserId, domain, problem],
  });
}

async function recordProven(client: pg.PoolClient, { ownerUserId, domain, token }: OpenProof): Promise<void> {
  await lockDomain(client, domain);
  const proven = await client.query({
    name: 'domain-proof-proven',
    text: `UPDATE domain_proofs SET proven_at = now(), checked_at = now(), checks = checks + 1, next_check_at = NULL, problem = NULL
      WHERE owner_user_id = $1 AND domain = $2 AND token = $3 AND proven_at IS NULL`,
    values: [ownerUserId, domain, token],
  });
  if (proven.rowCount === 0) return;
  const announce = await beforeIdentitiesChange(client, await identitiesAt(client, domain));
  // Unproven addresses of other identities give way to the proven domain.
  await client.query({
    name: 'domain-proof-contest',
    text: `UPDATE whitelisted_addresses w SET status = 'contested', proof = NULL, proven_at = NULL FROM identities i
      WHERE i.id = w.identity_id AND i.owner_user_id <> $1 AND split_part(w.address, '@', 2) = $2 AND w.proof = 'earlier'`,
    values: [ownerUserId, domain],
  });
  await client.query({
    name: 'domain-proof-claim',
    text: `INSERT INTO address_claims (address, identity_id)
      SELECT w.address, w.identity_id FROM whitelisted_addresses w JOIN identities i ON i.id = w.identity_id
      WHERE i.owner_user_id = $1 AND split_part(w.address, '@', 2) = $2 AND w.status <> 'proven' ORDER BY w.address, w.created_at, w.id
      ON CONFLICT (address) DO NOTHING`,
    values: [ownerUserId, domain],
  });
  await client.query({
    name: 'domain-proof-addresses',
    text: `UPDATE whitelisted_addresses w SET status = 'proven', proof = 'dns', proven_at = now() FROM address_claims c, identities i
      WHERE i.id = w.identity_id AND i.owner_user_id = $1 AND split_part(w.address, '@', 2) = $2 AND w.status <> 'proven'
        AND c.address = w.address AND c.identity_id = w.identity_id`,
    values: [ownerUserId, domain],
  });
  await announce(author);
  log().info({ domain }, 'domain proven');
}

/** The identities with addresses at a domain whose status its proof may change. */
async function identitiesAt(client: pg.PoolClient, domain: string): Promise<string[]> {
  const found = await rows<{ id: string }>(client, {
    name: 'domain-proof-identities',
    text: `SELECT DISTINCT identity_id AS id FROM whitelisted_addresses
      WHERE split_part(address, '@', 2) = $1 AND (status <> 'proven' OR proof = 'earlier')`,
    values: [domain],
  });
  return found.map(({ id }) => id);
}

/** Minimum interval between two requested lookups, in seconds. */
const checkPause = 5;

/**
 * Looks the domain of an address up now. `listAddresses` has the result.
 *
 * @throws AppError not_found; conflict for a domain that can't be proven; rate_limit_exceeded right after another lookup
 */
export async function checkDomainNow(actor: IdentityActor, address: string): Promise<void> {
  const proof = await transaction(actor, async (client) => {
    const { ownerUserId, isDomainProven } = await ownerAtAddress(client, actor.identityId, address);
    if (isDomainProven) return null;
    const [found] = await rows<OpenProof & { wait: number | null }>(client, {
      name: 'domain-proof-check',
      text: `SELECT owner_user_id AS "ownerUserId", domain, token,
          CASE WHEN checked_at IS NOT NULL THEN ${checkPause} - extract(epoch FROM now() - least(checked_at, now()))::float8 END AS wait
        FROM domain_proofs WHERE owner_user_id = $1 AND domain = $2 FOR UPDATE`,
      values: [ownerUserId, domainOf(address)],
    });
    if (!found) throw new AppError('conflict', `${domainOf(address)} can’t be proven by DNS.`);
    if (found.wait !== null && found.wait > 0)
      throw tooMany('The domain was looked up just now. Try again in a few seconds.', found.wait);
    await client.query({
      name: 'domain-proof-checked',
      text: 'UPDATE domain_proofs SET checked_at = now() WHERE owner_user_id = $1 AND domain = $2',
      values: [ownerUserId, found.domain],
    });
    return found;
  });
  if (proof) await checkDomain(proof);
}

const batchSize = 40;
/** Concurrent lookups: each may wait for a server that does not respond. */
const concurrentLookups = 8;

/**
 * Looks up the domains that are due. Taking them reschedules them first, so they become due again if the process dies.
 *
 * @param signal server shutdown: the remaining domains are released immediately for the next server
 */
export async function checkDueDomains(signal?: AbortSignal): Promise<void> {
  const due = await rows<OpenProof>(pool(), {
    name: 'domain-proofs-due',
    text: `UPDATE domain_proofs SET next_check_at = now() + interval '10 minutes' WHERE (owner_user_id, domain) IN (
        SELECT d.owner_user_id, d.domain FROM domain_proofs d
        WHERE d.proven_at IS NULL AND d.next_check_at <= now() AND EXISTS (
          SELECT 1 FROM identities i LEFT JOIN whitelisted_addresses w ON w.identity_id = i.id
          WHERE i.owner_user_id = d.owner_user_id AND (
            split_part(w.address, '@', 2) = d.domain AND (w.status <> 'proven' OR w.proof = 'code')
            OR split_part(i.address, '@', 2) = d.domain AND i.address_proof = 'code'
          )
        )
        ORDER BY d.next_check_at LIMIT ${batchSize} FOR UPDATE OF d SKIP LOCKED
      ) RETURNING owner_user_id AS "ownerUserId", domain, token`,
    values: [],
  });
  const undone: OpenProof[] = [];
  const tryCheck = async (proof: OpenProof) => {
    try {
      await checkDomain(proof, signal);
    } catch (error) {
      if (signal?.aborted) undone.push(proof);
      else logFailure(error, { domain: proof.domain }, 'a domain could not be checked');
    }
  };
  for (let start = 0; start < due.length; start += concurrentLookups) {
    if (signal?.aborted) undone.push(...due.slice(start, start + concurrentLookups));
    else await Promise.all(due.slice(start, start + concurrentLookups).map(tryCheck));
  }
  await release(undone);
}

async function release(proofs: readonly OpenProof[]): Promise<void> {
  if (proofs.length === 0) return;
  await pool().query({
    name: 'domain-proofs-hand-back',
    text: `UPDATE domain_proofs SET next_check_at = now() FROM unnest($1::uuid[], $2::text[]) AS given(owner_user_id, domain)
      WHERE domain_proofs.owner_user_id = given.owner_user_id AND domain_proofs.domain = given.domain AND proven_at IS NULL`,
    values: [proofs.map(({ ownerUserId }) => ownerUserId), proofs.map(({ domain }) => domain)],
  });
}

/** Codes are kept for a day because they count against the daily limit. */
async function removeOldCodes(): Promise<void> {
  await pool().query(`DELETE FROM address_codes WHERE created_at < now() - interval '1 day' AND expires_at < now()`);
}

export const addressJobs = [
  new StandingJob('check-domains', everyMinutes(1), checkDueDomains),
  new StandingJob('forget-address-codes', everyMinutes(60, 43), removeOldCodes),
];
