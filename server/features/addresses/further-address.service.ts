import type pg from 'pg';
import { v7 } from 'uuid';
import type { IdentityActor } from '@/server/platform/actor';
import { users } from '@/server/platform/auth/accounts.sql';
import { pool } from '@/server/platform/db/pool';
import { serialize } from '@/server/platform/db/serialize';
import { rows, violatedConstraint } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { AppError, notFound } from '@/server/platform/errors';
import { canSendMail } from '@/server/platform/mail/smtp-transport';
import { notifyOwners, requireRoomForNotice } from '../outbox/account-mail.service';
import { addressAddedMail } from '../outbox/account-notices.service';
import type { AddressList, AddWhitelistedAddressInput, FurtherAddress } from './address.schema';
import { addressRefused, domainOf, lockDomain, obstacleTo, releaseUnusedDomains, shownStatus } from './address-claim.service';
import { codeAttempts } from './address-code.service';
import { lockAddress, type Proof, prepareDomainProof, recordOf, type StoredAddress } from './address-proof';
import { beforeIdentitiesChange } from './identity-record.service';

/** More than a business needs; each address may cause a mail and lookups. */
const addressesMaximum = 100;

/** A domain that is not proven yet; null where there is none. */
interface DomainRow {
  domain: string | null;
  token: string | null;
  checkedAt: string | null;
  nextCheckAt: string | null;
  problem: string | null;
}

const domainColumns = `d.domain, d.token, d.checked_at AS "checkedAt", d.next_check_at AS "nextCheckAt", d.problem`;

interface AddressRow extends Omit<FurtherAddress, 'code' | 'domain'>, DomainRow {
  codeSentAt: string | null;
  codeExpiresAt: string | null;
  codeAttempts: number | null;
}

function toFurtherAddress(row: AddressRow): FurtherAddress {
  const { address, handle, description, status, proof, provenAt, codeSentAt, codeExpiresAt } = row;
  const isOpen = status !== 'proven';
  return {
    ...{ address, handle, description, status, proof, provenAt },
    code:
      isOpen && codeSentAt !== null && codeExpiresAt !== null
        ? { sentAt: codeSentAt, expiresAt: codeExpiresAt, attemptsLeft: codeAttempts - (row.codeAttempts ?? 0) }
        : null,
    domain: isOpen ? openDomainOf(row) : null,
  };
}

/** How to prove a domain; null if it is proven, or can't be. */
function openDomainOf({ domain, token, checkedAt, nextCheckAt, problem }: DomainRow): FurtherAddress['domain'] {
  if (domain === null || token === null) return null;
  return { name: domain, record: recordOf(token), checkedAt, nextCheckAt, problem };
}

/** The addresses of an identity with their status and the next step for each. */
export async function listAddresses({ identityId }: IdentityActor): Promise<AddressList> {
  const found = await rows<AddressRow>(pool(), {
    name: 'further-addresses',
    isoTimes: true,
    text: `SELECT w.address, w.handle, w.description, ${shownStatus} AS status, w.proof, w.proven_at AS "provenAt",
        code.created_at AS "codeSentAt", code.expires_at AS "codeExpiresAt", code.attempts AS "codeAttempts",
        ${domainColumns}
      FROM whitelisted_addresses w JOIN identities i ON i.id = w.identity_id
        LEFT JOIN domain_proofs d ON d.owner_user_id = i.owner_user_id AND d.domain = split_part(w.address, '@', 2) AND d.proven_at IS NULL
        LEFT JOIN LATERAL (
          SELECT created_at, expires_at, attempts FROM address_codes
          WHERE owner_user_id = i.owner_user_id AND address = w.address ORDER BY created_at DESC, id DESC LIMIT 1
        ) code ON code.expires_at > now() AND code.attempts < ${codeAttempts}
      WHERE w.identity_id = $1 ORDER BY w.created_at, w.id`,
    values: [identityId],
  });
  const [identity] = await rows<{ address: string | null } & DomainRow>(pool(), {
    name: 'own-address',
    isoTimes: true,
    text: `SELECT i.address, ${domainColumns} FROM identities i LEFT JOIN domain_proofs d ON d.owner_user_id = i.owner_user_id
        AND d.domain = split_part(i.address, '@', 2) AND d.proven_at IS NULL AND i.address_proof = 'code'
      WHERE i.id = $1`,
    values: [identityId],
  });
  return {
    own: identity?.address ?? null,
    ownDomain: identity ? openDomainOf(identity) : null,
    addresses: found.map(toFurtherAddress),
    canSendCodes: canSendMail(),
  };
}

interface Claimant {
  ownerUserId: string;
  handle: string;
  address: string | null;
  isInstaller: boolean;
  /** Whether the identity already has the address, as an agent's. */
  isHeld: boolean;
  /** Whether its owner has proven the domain. */
  hasDomain: boolean;
  count: number;
}

async function claimantOf(client: pg.PoolClient, actor: IdentityActor, address: string): Promise<Claimant> {
  const { identityId } = actor;
  const [found] = await rows<Claimant>(client, {
    name: 'address-claimant',
    text: `SELECT i.owner_user_id AS "ownerUserId", i.handle, i.address,
        EXISTS (SELECT 1 FROM ${users} u WHERE u.id = $4 AND u.is_installer) AS "isInstaller",
        EXISTS (SELECT 1 FROM address_claims WHERE address = $2 AND identity_id = i.id) AS "isHeld",
        EXISTS (SELECT 1 FROM domain_proofs WHERE owner_user_id = i.owner_user_id AND domain = $3 AND proven_at IS NOT NULL) AS "hasDomain",
        (SELECT count(*)::int FROM whitelisted_addresses WHERE identity_id = i.id) AS count
      FROM identities i WHERE i.id = $1 FOR NO KEY UPDATE`,
    values: [identityId, address, domainOf(address), actor.kind === 'session' ? actor.userId : null],
  });
  if (!found) throw new AppError('identity_not_found', 'The identity no longer exists.');
  return found;
}

/** What proves an address as soon as it is added; null if it must still be proven. */
function immediateProof({ isHeld, hasDomain, isInstaller, handle }: Claimant, domain: string): Proof | null {
  if (hasDomain) return 'dns';
  if (isInstaller) return 'setup';
  return isHeld || domain === `${handle}.localhost` ? 'operator' : null;
}

/**
 * Adds an address that this identity may receive and send mail with. It is pending until proven, unless its domain is proven,
 * or the person who adds it set the installation up.
 *
 * @throws AppError conflict if the handle is taken, or another business has the address or its domain
 */
export async function addWhitelistedAddress(actor: IdentityActor, input: AddWhitelistedAddressInput): Promise<void> {
  const { handle, address, description } = input;
  const { identityId } = actor;
  await requireRoomForNotice(actor);
  const domain = domainOf(address);
  try {
    await transaction(actor, async (client) => {
      await lockDomain(client, domain);
      await serialize(client, 'further-addresses', identityId);
      const announce = await beforeIdentitiesChange(client, [identityId]);
      const claimant = await claimantOf(client, actor, address);
      if (claimant.address === address) throw new AppError('conflict', 'This is the business’ own address already.');
      if (claimant.count >= addressesMaximum) {
        throw new AppError(
          'conflict',
          `A business has at most ${addressesMaximum} further addresses. Remove one that is not used.`,
        );
      }
      const obstacle = await obstacleTo(client, identityId, address);
      if (obstacle) throw addressRefused(address, obstacle);
      if (await isOthersOwnDomain(client, identityId, domain)) throw addressRefused(address, 'domain');
      const proof = immediateProof(claimant, domain);
      await client.query({
        name: 'further-address-insert',
        text: `INSERT INTO whitelisted_addresses (id, identity_id, handle, address, description, status, proof, proven_at)
          VALUES ($6, $1, $2, $3, $4, CASE WHEN $5::address_proof IS NULL THEN 'pending' ELSE 'proven' END::address_status,
            $5::address_proof, CASE WHEN $5::address_proof IS NOT NULL THEN now() END)`,
        values: [identityId, handle.trim(), address, description || null, proof, v7()],
      });
      if (proof === null) await prepareDomainProof(client, claimant.ownerUserId, domain);
      await notifyOwners(client, identityId, (language, business) => addressAddedMail(language, business, address));
      await announce(actor);
    });
  } catch (error) {
    throw refusalOf(error, address);
  }
}

/** Every identity owns the domain `<handle>.localhost`. */
async function isOthersOwnDomain(client: pg.PoolClient, identityId: string, domain: string): Promise<boolean> {
  if (!domain.endsWith('.localhost')) return false;
  const found = await rows(client, {
    name: 'localhost-domain',
    text: 'SELECT 1 FROM identities WHERE handle = $2 AND id <> $1',
    values: [identityId, domain.slice(0, -'.localhost'.length)],
  });
  return found.length > 0;
}

function refusalOf(error: unknown, address: string): unknown {
  switch (violatedConstraint(error)) {
    case 'whitelisted_addresses_identity_id_handle_key':
      return new AppError('conflict', 'Another address already has this handle.');
    case 'whitelisted_addresses_identity_id_address_key':
      return new AppError('conflict', 'This address is already in the list.');
    case 'address_claims_pkey':
      return addressRefused(address, 'address');
    default:
      return error;
  }
}

async function deleteAddress(client: pg.PoolClient, { id, identityId }: StoredAddress): Promise<void> {
  await client.query({
    name: 'further-address-delete',
    text: 'DELETE FROM whitelisted_addresses WHERE identity_id = $1 AND id = $2',
    values: [identityId, id],
  });
}

/**
 * Removes a further address, proven or not.
 *
 * @throws AppError not_found; conflict for the last one that lets agents have addresses at its domain
 */
export async function removeWhitelistedAddress(actor: IdentityActor, address: string): Promise<void> {
  await transaction(actor, async (client) => {
    const announce = await beforeIdentitiesChange(client, [actor.identityId]);
    const stored = await lockAddress(client, actor.identityId, address);
    const before = await addressesOfAgents(client, actor.identityId);
    await deleteAddress(client, stored);
    await releaseUnusedDomains(client, stored.ownerUserId);
    const after = new Set(await addressesOfAgents(client, actor.identityId));
    const lost = before.find((email) => !after.has(email));
    if (lost)
      throw new AppError(
        'conflict',
        `${lost} would stop working. Move agents to another domain and remove their addresses at ${domainOf(address)} first.`,
      );
    await announce(actor);
  });
}

/** The addresses at which agents of an identity receive mail. */
async function addressesOfAgents(client: pg.PoolClient, identityId: string): Promise<string[]> {
  const found = await rows<{ address: string }>(client, {
    name: 'claims-of-agents',
    text: `SELECT a.address FROM addresses_of_agents($1) a JOIN address_claims c ON c.address = a.address AND c.identity_id = $1
      ORDER BY a.address`,
    values: [identityId],
  });
  return found.map((row) => row.address);
}

/**
 * Makes a proven further address the identity's own; the previous own address becomes a further one. Agents keep their addresses
 * until `moveAgents`.
 *
 * @throws AppError not_found; conflict for an address that is not proven
 */
export async function useAsOwnAddress(actor: IdentityActor, address: string): Promise<void> {
  const { identityId } = actor;
  await transaction(actor, async (client) => {
    const [identity] = await rows<{ address: string | null; proof: string | null }>(client, {
      name: 'own-address-lock',
      text: 'SELECT address, address_proof AS proof FROM identities WHERE id = $1 FOR UPDATE',
      values: [identityId],
    });
    if (!identity) throw notFound();
    if (identity.address === address) return;
    const announce = await beforeIdentitiesChange(client, [identityId]);
    const stored = await lockAddress(client, identityId, address);
    if (stored.status !== 'proven')
      throw new AppError('conflict', `Prove ${address} first. Until then no mail goes to it or from it.`);
    // This order keeps both addresses claimed throughout, so no other identity can get either.
    if (identity.address !== null) await keepAsFurther(client, identityId, identity.address, identity.proof);
    await client.query({
      name: 'own-address-set',
      text: 'UPDATE identities SET address = $2, address_proof = $3::address_proof, updated_at = now() WHERE id = $1',
      values: [identityId, address, stored.proof],
    });
    await deleteAddress(client, stored);
    await announce(actor);
  });
}

async function keepAsFurther(client: pg.PoolClient, identityId: string, address: string, proof: string | null): Promise<void> {
  const local = address.slice(0, address.lastIndexOf('@')).slice(0, 55);
  await client.query({
    name: 'own-address-keep',
    text: `INSERT INTO whitelisted_addresses (id, identity_id, handle, address, status, proof, proven_at)
      SELECT $5::uuid, $1, candidate, $2, 'proven', $4::address_proof, now()
      FROM (SELECT 0 AS number, $3::text AS candidate UNION ALL SELECT n, $3 || '-' || n FROM generate_series(2, 200) n) handles
      WHERE NOT EXISTS (SELECT 1 FROM whitelisted_addresses WHERE identity_id = $1 AND handle = candidate) ORDER BY number LIMIT 1`,
    values: [identityId, address, local, proof, v7()],
  });
}
