import { prisma } from '@/server/platform/db/prisma';
import { type PrismaTransaction, prismaTransaction } from '@/server/platform/db/transaction';
import { AppError } from '@/server/platform/errors';
import type { ListAddressesInput, VerifyAddressInput } from './address.schema';
import { domainOf, shownStatus } from './address-claim.service';
import { beforeIdentitiesChange } from './identity-record.service';

/** Address commands of the operator, who can prove an address and decide between businesses that claim the same one. */

const operator = { kind: 'system', cause: 'operator' } as const;

/** An address that the operator took from one identity for another. */
export interface TakenAddress {
  address: string;
  /** Of the identity that had it; null where only its domain is another account's. */
  from: string | null;
}

interface Holder {
  id: string;
  handle: string;
  isOwn: boolean;
  isFurther: boolean;
}

/** The identity an address is freed for. */
interface Claimant {
  /** Null for one that is about to be created. */
  identityId: string | null;
  ownerUserId: string;
}

/**
 * Frees an address for an identity. Another holder loses it only with `force`: a further address becomes contested, an agent
 * keeps none.
 *
 * @returns what was taken from whom; null if the address was free
 * @throws AppError conflict without `force`, and always for an identity's own address
 */
export async function makeAddressFree(
  tx: PrismaTransaction,
  { identityId, ownerUserId }: Claimant,
  address: string,
  force: boolean,
): Promise<TakenAddress | null> {
  const domain = domainOf(address);
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('domain:' || ${domain}, 0))`;
  const [holder] = await tx.$queryRaw<Holder[]>`
    SELECT o.id, o.handle, o.address IS NOT DISTINCT FROM c.address AS "isOwn", EXISTS (
        SELECT 1 FROM whitelisted_addresses w WHERE w.identity_id = o.id AND w.address = c.address AND w.status = 'proven'
      ) AS "isFurther"
    FROM address_claims c JOIN identities o ON o.id = c.identity_id
    WHERE c.address = ${address} AND c.identity_id IS DISTINCT FROM ${identityId}::uuid FOR UPDATE OF c`;
  if (holder?.isOwn) {
    throw new AppError('conflict', `${address} is the own address of ${holder.handle} and can’t be taken from it.`);
  }
  if (holder && !force) {
    const use = holder.isFurther ? 'a further address' : 'the address of its agent';
    throw new AppError('conflict', `${address} is in use by ${holder.handle}, as ${use}. Add --force to take it over.`);
  }
  const isForeign = await tx.domainProof.findFirst({
    where: { domain, provenAt: { not: null }, ownerUserId: { not: ownerUserId } },
    select: { domain: true },
  });
  if (isForeign && !force) {
    throw new AppError('conflict', `${domain} was proven by another account. Add --force to use ${address} all the same.`);
  }
  if (!holder) return isForeign ? { address, from: null } : null;
  const announce = await beforeIdentitiesChange(tx, [holder.id]);
  await tx.$executeRaw`UPDATE whitelisted_addresses SET status = 'contested', proof = NULL, proven_at = NULL
    WHERE address = ${address} AND status = 'proven' AND identity_id IS DISTINCT FROM ${identityId}::uuid`;
  // That of an agent, or one that was pending for an agent.
  await tx.$executeRaw`DELETE FROM address_claims WHERE address = ${address} AND identity_id IS DISTINCT FROM ${identityId}::uuid`;
  await announce(operator);
  return { address, from: holder.handle };
}

/** A further address set by the operator: proven. */
export function provenByOperator<T extends object>(address: T) {
  return { ...address, status: 'proven', proof: 'operator', provenAt: new Date() } as const;
}

/**
 * `admin address verify`: marks an address of an identity as proven; for its own address, the domain as well.
 *
 * @throws AppError not_found for an unknown handle or address; conflict if another identity has it and `force` is not given
 */
export async function verifyAddress({ identity: handle, address, force }: VerifyAddressInput) {
  return prismaTransaction(operator, async (tx) => {
    const identity = await tx.identity.findUnique({ where: { handle }, select: { id: true, address: true, ownerUserId: true } });
    if (!identity) throw new AppError('not_found', `There is no identity ${handle}.`);
    const { id: identityId, ownerUserId } = identity;
    if (identity.address === address) {
      await tx.identity.update({ where: { id: identityId }, data: { addressProof: 'operator' } });
      return { identityId, address, status: 'proven' as const };
    }
    const found = await tx.whitelistedAddress.findUnique({
      where: { identityId_address: { identityId, address } },
      select: { id: true },
    });
    if (!found)
      throw new AppError('not_found', `${handle} has no address ${address}. Its owner adds it on the business profile.`);
    const taken = await makeAddressFree(tx, { identityId, ownerUserId }, address, force);
    const announce = await beforeIdentitiesChange(tx, [identityId]);
    await tx.whitelistedAddress.update({ where: { identityId_id: { identityId, id: found.id } }, data: provenByOperator({}) });
    await announce(operator);
    return { identityId, address, status: 'proven' as const, ...(taken ? { takenFrom: taken.from ?? domainOf(address) } : {}) };
  });
}

interface ListedAddress {
  identity: string;
  address: string;
  kind: 'own' | 'further' | 'agent';
  status: string;
  proof: string | null;
  /** The other identity that has it. */
  usedBy: string | null;
}

/** `admin address list`: every address of every identity, or of one. */
export async function listAllAddresses({ identity, status }: ListAddressesInput): Promise<{ addresses: ListedAddress[] }> {
  const addresses = await prisma().$queryRawUnsafe<ListedAddress[]>(
    `SELECT i.handle AS identity, listed.address, listed.kind, listed.status, listed.proof, o.handle AS "usedBy"
      FROM identities i CROSS JOIN LATERAL (
        SELECT i.address, 'own' AS kind, 'proven' AS status, i.address_proof::text AS proof WHERE i.address IS NOT NULL
        UNION ALL
        SELECT w.address, 'further', ${shownStatus}, w.proof::text FROM whitelisted_addresses w WHERE w.identity_id = i.id
        UNION ALL
        SELECT a.address, 'agent', CASE WHEN EXISTS (
            SELECT 1 FROM address_claims c WHERE c.identity_id = i.id AND c.address = a.address
          ) THEN 'proven' ELSE 'refused' END, NULL
        FROM addresses_of_agents(i.id) a
      ) listed
      LEFT JOIN address_claims c ON c.address = listed.address AND c.identity_id <> i.id
      LEFT JOIN identities o ON o.id = c.identity_id
      WHERE i.erased_at IS NULL AND ($1::text IS NULL OR i.handle = $1) AND ($2::text IS NULL OR listed.status = $2)
      ORDER BY i.handle, listed.kind DESC, listed.address`,
    identity ?? null,
    status ?? null,
  );
  return { addresses };
}
