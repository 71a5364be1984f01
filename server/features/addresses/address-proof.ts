import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { rows } from '@/server/platform/db/sql';
import { AppError, notFound } from '@/server/platform/errors';
import { addressRefused, domainOf, lockDomain, obstacleTo } from './address-claim.service';

/** Shared by the methods of proving an address: the stored row and the step that marks it as proven. */

export type Proof = 'operator' | 'setup' | 'dns' | 'code';

/** A further address as it is stored. */
export interface StoredAddress {
  id: string;
  identityId: string;
  ownerUserId: string;
  address: string;
  status: 'pending' | 'proven' | 'contested';
  proof: Proof | 'earlier' | null;
}

/** Locks a further address of an identity against concurrent changes. @throws AppError not_found */
export async function lockAddress(client: pg.PoolClient, identityId: string, address: string): Promise<StoredAddress> {
  const [found] = await rows<StoredAddress>(client, {
    name: 'further-address-lock',
    text: `SELECT w.id, w.identity_id AS "identityId", i.owner_user_id AS "ownerUserId", w.address, w.status, w.proof
      FROM whitelisted_addresses w JOIN identities i ON i.id = w.identity_id
      WHERE w.identity_id = $1 AND w.address = $2 FOR NO KEY UPDATE OF w`,
    values: [identityId, address],
  });
  if (!found) throw notFound();
  return found;
}

/** Whom an address of an identity belongs to, and whether a lookup of its domain would prove nothing more. */
interface OwnerAtAddress {
  ownerUserId: string;
  isDomainProven: boolean;
}

/** The owner of an identity's own or further address. @throws AppError not_found */
export async function ownerAtAddress(client: pg.PoolClient, identityId: string, address: string): Promise<OwnerAtAddress> {
  const [found] = await rows<OwnerAtAddress>(client, {
    name: 'owner-at-address',
    text: `SELECT i.owner_user_id AS "ownerUserId",
        CASE WHEN w.id IS NULL THEN i.address_proof <> 'code' ELSE w.status = 'proven' AND w.proof <> 'code' END AS "isDomainProven"
      FROM identities i LEFT JOIN whitelisted_addresses w ON w.identity_id = i.id AND w.address = $2
      WHERE i.id = $1 AND (w.id IS NOT NULL OR i.address = $2)`,
    values: [identityId, address],
  });
  if (!found) throw notFound();
  return found;
}

/**
 * Marks a further address as proven if no other identity has it; of several concurrent calls, one succeeds.
 *
 * @throws AppError conflict if another identity has it, or another owner its domain
 */
export async function proveAddress(client: pg.PoolClient, stored: StoredAddress, proof: Proof): Promise<void> {
  const { id, identityId, address, status } = stored;
  if (status === 'proven') return;
  await lockDomain(client, domainOf(address));
  const obstacle = await obstacleTo(client, identityId, address);
  if (obstacle) throw addressRefused(address, obstacle);
  await client.query({
    name: 'further-address-prove',
    text: `UPDATE whitelisted_addresses SET status = 'proven', proof = $3::address_proof, proven_at = now() WHERE identity_id = $1 AND id = $2`,
    values: [identityId, id, proof],
  });
}

/**
 * Creates the token for a domain's TXT record when its first address is added. Domains of this installation have no records.
 */
export async function prepareDomainProof(client: pg.PoolClient, ownerUserId: string, domain: string): Promise<void> {
  if (domain.endsWith('.localhost')) return;
  await client.query({
    name: 'domain-proof-prepare',
    text: `INSERT INTO domain_proofs (owner_user_id, domain, token, next_check_at) VALUES ($1, $2, $3, now() + interval '1 minute')
      ON CONFLICT (owner_user_id, domain) DO UPDATE
        SET next_check_at = CASE WHEN domain_proofs.proven_at IS NULL THEN now() + interval '1 minute' END, created_at = now(), checks = 0
        WHERE domain_proofs.proven_at IS NULL`,
    values: [ownerUserId, domain, randomBytes(20).toString('hex')],
  });
}

/** The text of a TXT record. */
export function recordOf(token: string): string {
  return `frontdesk-verification=${token}`;
}

/** 429 with the time to wait. */
export function tooMany(message: string, seconds: number): AppError {
  return new AppError('rate_limit_exceeded', message, { headers: { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) } });
}
