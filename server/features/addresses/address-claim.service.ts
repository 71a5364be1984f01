import type pg from 'pg';
import { type Queryable, rows } from '@/server/platform/db/sql';
import type { PrismaTransaction } from '@/server/platform/db/transaction';
import { AppError } from '@/server/platform/errors';

/**
 * Address ownership (docs/adr/0014). The table `address_claims` holds every address in use and the one identity that has it;
 * triggers maintain it, so no service can forget to. Services check it first to give a readable error.
 */

/** The domain of an address, in lower case. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}

/** Serializes decisions about a domain and the addresses at it. */
export async function lockDomain(client: pg.PoolClient, domain: string): Promise<void> {
  await client.query({
    name: 'address-domain-lock',
    text: `SELECT pg_advisory_xact_lock(hashtextextended('domain:' || $1, 0))`,
    values: [domain],
  });
}

/** What prevents an identity from having an address. */
export type Obstacle = 'address' | 'domain' | null;

/** Whether another identity has the address, or another owner has proven its domain. */
export async function obstacleTo(db: Queryable, identityId: string, address: string): Promise<Obstacle> {
  const [found] = await rows<{ isTaken: boolean; isForeign: boolean }>(db, {
    name: 'address-obstacle',
    text: `SELECT EXISTS (SELECT 1 FROM address_claims WHERE address = $2 AND identity_id <> $1) AS "isTaken",
        is_domain_of_another($1, $3) AS "isForeign"`,
    values: [identityId, address, domainOf(address)],
  });
  if (found?.isTaken) return 'address';
  return found?.isForeign ? 'domain' : null;
}

/** 409 for an address that an identity can't have. */
export function addressRefused(address: string, obstacle: Exclude<Obstacle, null>): AppError {
  const message =
    obstacle === 'address'
      ? `Another business here uses ${address}. Choose another address, or ask your administrator.`
      : `Another account here has proven that ${domainOf(address)} is its domain. Choose an address at a domain of your own, or ask your administrator.`;
  return new AppError('conflict', message, {
    details: { fields: { address: obstacle === 'address' ? 'is in use' : 'is at a domain of another account' } },
  });
}

/**
 * Refuses an agent whose address another identity has, inside the transaction that creates it.
 *
 * @throws AppError conflict
 */
export async function refuseTakenAgentAddress(tx: PrismaTransaction, identityId: string, email: string): Promise<void> {
  const claim = await tx.addressClaim.findUnique({ where: { address: email }, select: { identityId: true } });
  if (!claim || claim.identityId === identityId) return;
  throw new AppError('conflict', `Another business here uses ${email}. Choose another role.`, {
    details: { fields: { roleId: 'makes an address that is in use' } },
  });
}

/** The local parts containing `part` that other identities use at the domain where new agents of this one get their addresses. */
export async function takenLocalParts(tx: PrismaTransaction, identityId: string, part: string): Promise<string[]> {
  const found = await tx.$queryRaw<{ part: string }[]>`
    SELECT split_part(c.address, '@', 1) AS part
    FROM identities i JOIN address_claims c ON split_part(c.address, '@', 2) = mail_domain(i.address, i.handle)
    WHERE i.id = ${identityId}::uuid AND c.identity_id <> i.id AND strpos(c.address, ${part}) > 0`;
  return found.map((row) => row.part);
}

/** Whether agents of an identity may have addresses at a domain: it is the identity's, by more than one mailbox there. */
export async function mayAgentsUse(tx: PrismaTransaction, identityId: string, domain: string): Promise<boolean> {
  const [found] = await tx.$queryRaw<{ isAllowed: boolean }[]>`
    SELECT agents_may_use(${identityId}::uuid, ${domain}) AND NOT is_domain_of_another(${identityId}::uuid, ${domain}) AS "isAllowed"`;
  return found?.isAllowed === true;
}

/** Which of these addresses an identity can't give to its agents: another one has them, or it uses them itself. */
export async function unavailableToAgents(
  tx: PrismaTransaction,
  identityId: string,
  addresses: readonly string[],
): Promise<Set<string>> {
  const found = await tx.$queryRaw<{ address: string }[]>`
    SELECT c.address FROM address_claims c WHERE c.address = ANY(${addresses}) AND (
      c.identity_id <> ${identityId}::uuid
      OR EXISTS (SELECT 1 FROM identities i WHERE i.id = c.identity_id AND i.address = c.address)
      OR EXISTS (
        SELECT 1 FROM whitelisted_addresses w WHERE w.identity_id = c.identity_id AND w.address = c.address AND w.status = 'proven'
      )
    )`;
  return new Set(found.map(({ address }) => address));
}

/**
 * The displayed status of a further address: the stored one, but `refused` for a pending address that another identity has, or
 * whose domain another owner has.
 */
export const shownStatus = `CASE WHEN w.status = 'pending' AND (
    EXISTS (SELECT 1 FROM address_claims c WHERE c.address = w.address AND c.identity_id <> w.identity_id)
    OR is_domain_of_another(w.identity_id, split_part(w.address, '@', 2))
  ) THEN 'refused' ELSE w.status::text END`;

/** The displayed statuses of an identity's unproven addresses, by address. */
export async function openStatuses(
  db: PrismaTransaction,
  identityId: string,
): Promise<Map<string, 'pending' | 'contested' | 'refused'>> {
  const found = await db.$queryRawUnsafe<{ address: string; status: 'pending' | 'contested' | 'refused' }[]>(
    `SELECT w.address, ${shownStatus} AS status FROM whitelisted_addresses w WHERE w.identity_id = $1::uuid AND w.status <> 'proven'`,
    identityId,
  );
  return new Map(found.map(({ address, status }) => [address, status]));
}

/** A condition for a domain `d` at which identities have no address, nor their agents. */
const isUnused = (owned: string) => `NOT EXISTS (
    SELECT 1 FROM identities i LEFT JOIN whitelisted_addresses w ON w.identity_id = i.id
    WHERE ${owned} AND i.erased_at IS NULL AND (
      d.domain IN (split_part(i.address, '@', 2), split_part(w.address, '@', 2))
      OR EXISTS (SELECT 1 FROM addresses_of_agents(i.id) a WHERE a.domain = d.domain)
    )
  )`;

const releaseStatement = `DELETE FROM domain_proofs d WHERE owner_user_id = $1::uuid AND ${isUnused('i.owner_user_id = $1::uuid')}`;

/** Frees the addresses of a business that is being deleted, for others to use. */
export async function releaseAddresses(client: pg.PoolClient, identityId: string): Promise<void> {
  const values = [identityId];
  await client.query({ name: 'addresses-release', text: 'DELETE FROM whitelisted_addresses WHERE identity_id = $1', values });
  await client.query({ name: 'address-claims-release', text: 'DELETE FROM address_claims WHERE identity_id = $1', values });
}

/** Releases the domains at which an owner no longer has an address. */
export async function releaseUnusedDomains(client: pg.PoolClient, ownerUserId: string): Promise<void> {
  await client.query({ name: 'domain-proofs-forget', text: releaseStatement, values: [ownerUserId] });
}

/** The same after an agent's address at a domain was removed. */
export async function releaseUnusedDomainsOf(tx: PrismaTransaction, identityId: string): Promise<void> {
  const { ownerUserId } = await tx.identity.findUniqueOrThrow({ where: { id: identityId }, select: { ownerUserId: true } });
  await tx.$executeRawUnsafe(releaseStatement, ownerUserId);
}

/** The owners who answered for an identity, and who does now. */
interface Handover {
  identityId: string;
  from: string;
  to: string;
}

/** Lets the proofs of an identity's domains follow it to another owner, unless the former one has other addresses there. */
export async function moveDomainProofs(tx: PrismaTransaction, { identityId, from, to }: Handover): Promise<void> {
  await tx.$executeRawUnsafe(
    `UPDATE domain_proofs d SET owner_user_id = $2::uuid, proven_at = d.proven_at
      WHERE owner_user_id = $1::uuid AND ${isUnused('i.owner_user_id = $1::uuid')} AND NOT (${isUnused('i.id = $3::uuid')})
        AND NOT EXISTS (SELECT 1 FROM domain_proofs o WHERE o.owner_user_id = $2::uuid AND o.domain = d.domain)`,
    from,
    to,
    identityId,
  );
  await tx.$executeRawUnsafe(releaseStatement, from);
}
