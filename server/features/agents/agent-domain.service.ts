import { addressClaims } from '@/server/features/addresses/address.sql';
import { emit } from '@/server/features/events/emit.service';
import type { IdentityActor } from '@/server/platform/actor';
import { prisma } from '@/server/platform/db/prisma';
import { type PrismaTransaction, prismaTransaction, rawStatements } from '@/server/platform/db/transaction';
import { AppError, notFound } from '@/server/platform/errors';
import { mayAgentsUse, releaseUnusedDomainsOf, unavailableToAgents } from '../addresses/address-claim.service';
import { activitiesOf } from '../usage/activity.service';
import { agentUpdated, type FoundAgent, withRoutes } from './agent.service';

/**
 * The domain of agents' addresses. It is the identity's own when an agent is made, and changes only here: an address that was
 * given to customers must not stop to work because the business changes its own (docs/adr/0014).
 */

/** What a move has done. */
export interface MovedAgents {
  moved: number;
  /** Agents that stay where they are, since their address at the new domain is in use. */
  kept: { name: string; email: string }[];
}

const addressAt = ({ roleId }: { roleId: string }, domain: string) => `${roleId}@${domain}`;

/**
 * Gives all agents addresses at another domain of the business. Earlier addresses still bring them mail.
 *
 * @throws AppError conflict for a domain that is not proven to be the business', or an address that is taken meanwhile
 */
export async function moveAgents(actor: IdentityActor, domain: string): Promise<MovedAgents> {
  const { identityId } = actor;
  const known = await prisma().agent.findMany({ where: { identityId }, select: { id: true } });
  const activity = await activitiesOf(
    identityId,
    known.map(({ id }) => id),
  );
  return prismaTransaction(actor, async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM agents WHERE identity_id = ${identityId}::uuid ORDER BY id FOR NO KEY UPDATE`;
    if (!(await mayAgentsUse(tx, identityId, domain))) {
      throw new AppError('conflict', `Verify ${domain} with its TXT record first. Until then agents keep their addresses.`);
    }
    const before = await agentsElsewhere(tx, identityId, domain);
    const unavailable = await unavailableToAgents(
      tx,
      identityId,
      before.map((agent) => addressAt(agent, domain)),
    );
    const moving = before.filter((agent) => !unavailable.has(addressAt(agent, domain)));
    const after = await move(tx, identityId, moving, domain);
    const changes = moving.flatMap((agent) => {
      const moved = after.get(agent.id);
      return moved ? [agentUpdated(agent, moved, activity(agent.id))] : [];
    });
    await emit(rawStatements(tx), actor, changes);
    return {
      moved: moving.length,
      kept: before
        .filter((agent) => !moving.includes(agent))
        .map(({ name, ...agent }) => ({ name, email: addressAt(agent, agent.mailDomain) })),
    };
  });
}

function agentsElsewhere(tx: PrismaTransaction, identityId: string, domain: string): Promise<FoundAgent[]> {
  return tx.agent.findMany({
    where: { identityId, mailDomain: { not: domain } },
    include: withRoutes,
    orderBy: [{ nameKey: 'asc' }, { id: 'asc' }],
  });
}

async function move(
  tx: PrismaTransaction,
  identityId: string,
  moving: readonly FoundAgent[],
  domain: string,
): Promise<Map<string, FoundAgent>> {
  const ids = moving.map(({ id }) => id);
  const addresses = moving.map((agent) => addressAt(agent, domain));
  // First, so that no other identity can get an address in between.
  await tx.$executeRawUnsafe(
    `INSERT INTO agent_addresses (identity_id, agent_id, address)
      SELECT a.identity_id, a.id, c.address FROM agents a
        JOIN ${addressClaims} c ON c.identity_id = a.identity_id AND c.address = a.role_id || '@' || a.mail_domain
      WHERE a.identity_id = $1::uuid AND a.id = ANY($2::uuid[]) ON CONFLICT DO NOTHING`,
    identityId,
    ids,
  );
  await tx.agent.updateMany({ where: { identityId, id: { in: ids } }, data: { mailDomain: domain, updatedAt: new Date() } });
  await tx.agentAddress.deleteMany({ where: { identityId, address: { in: addresses } } });
  const [taken] = await unavailableToAgents(tx, identityId, addresses);
  if (taken) throw new AppError('conflict', `${taken} was taken a moment ago. Try again.`);
  const after = await tx.agent.findMany({ where: { identityId, id: { in: ids } }, include: withRoutes });
  return new Map(after.map((agent) => [agent.id, agent]));
}

/** Removes an earlier address of an agent; mail to it is refused from then on. @throws AppError not_found */
export async function removeAgentAddress(actor: IdentityActor, agentId: string, address: string): Promise<void> {
  await prismaTransaction(actor, async (tx) => {
    const removed = await tx.agentAddress.deleteMany({ where: { identityId: actor.identityId, agentId, address } });
    if (removed.count === 0) throw notFound();
    await releaseUnusedDomainsOf(tx, actor.identityId);
  });
}
