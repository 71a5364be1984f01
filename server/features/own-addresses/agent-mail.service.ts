import { addressClaims, domainProofs, whitelistedAddresses } from '@/server/features/addresses/address.sql';
import { agentAddresses, agents } from '@/server/features/agents/agent.sql';
import type { IdentityActor } from '@/server/platform/actor';
import { identities } from '@/server/platform/auth/accounts.sql';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { notFound } from '@/server/platform/errors';
import { domainOf } from '../addresses/address-claim.service';
import { currentAddress, listMailAgents, reachesAgent } from './agent-address.service';
import type { AgentAddresses, AgentMail, AgentWithoutMail } from './agent-mail.schema';

/** Why an address of an agent of the identity `i` brings no mail from outside; null if it does. See `mailProblems`. */
const problemOf = (address: string) => `CASE
    WHEN NOT EXISTS (SELECT 1 FROM ${addressClaims} c WHERE c.address = ${address}) THEN
      CASE WHEN is_domain_of_another(i.id, split_part(${address}, '@', 2)) THEN 'domain_of_another' ELSE 'domain_not_proven' END
    WHEN NOT EXISTS (SELECT 1 FROM ${addressClaims} c WHERE c.address = ${address} AND c.identity_id = i.id) THEN 'taken'
    WHEN NOT ${reachesAgent(address)} THEN 'used_by_business'
    WHEN ${address} LIKE '%.localhost' AND i.address NOT LIKE '%.localhost' THEN 'local'
  END`;

/** Agents of an identity, by name, whose current address receives no mail from outside; archived ones apart. At most a thousand. */
export async function agentsWithoutMail(identityId: string): Promise<AgentWithoutMail[]> {
  return rows<AgentWithoutMail>(pool(), {
    name: 'agents-without-mail',
    text: `SELECT * FROM (
        SELECT a.id, a.name, ${currentAddress} AS email, ${problemOf(currentAddress)} AS problem
        FROM ${agents} a JOIN ${identities} i ON i.id = a.identity_id
        WHERE a.identity_id = $1 AND a.status <> 'archived' ORDER BY a.name_key, a.id LIMIT 1000
      ) listed WHERE problem IS NOT NULL`,
    values: [identityId],
  });
}

/** Domains at which agents may have addresses, that of the identity's own one first. At most twenty. */
async function availableDomains(identityId: string): Promise<string[]> {
  const found = await rows<{ domain: string }>(pool(), {
    name: 'agent-domains',
    text: `SELECT known.domain FROM ${identities} i CROSS JOIN LATERAL (
        SELECT split_part(i.address, '@', 2) AS domain
        UNION SELECT split_part(w.address, '@', 2) FROM ${whitelistedAddresses} w WHERE w.identity_id = i.id AND w.status = 'proven'
        UNION SELECT d.domain FROM ${domainProofs} d WHERE d.owner_user_id = i.owner_user_id AND d.proven_at IS NOT NULL
      ) known
      WHERE i.id = $1 AND known.domain NOT LIKE '%.localhost'
        AND agents_may_use(i.id, known.domain) AND NOT is_domain_of_another(i.id, known.domain)
      ORDER BY known.domain <> coalesce(split_part(i.address, '@', 2), ''), known.domain LIMIT 20`,
    values: [identityId],
  });
  return found.map(({ domain }) => domain);
}

/** Where the agents of an identity have their addresses, where they could have them, and which bring no mail. */
export async function getAgentMail({ identityId }: IdentityActor): Promise<AgentMail> {
  const [all, available, withoutMail] = await Promise.all([
    listMailAgents(pool(), identityId),
    availableDomains(identityId),
    agentsWithoutMail(identityId),
  ]);
  const counts = new Map<string, number>();
  for (const { email } of all.filter(({ status }) => status !== 'archived')) {
    counts.set(domainOf(email), (counts.get(domainOf(email)) ?? 0) + 1);
  }
  const domains = [...counts].map(([domain, count]) => ({ domain, agents: count })).sort((a, b) => b.agents - a.agents);
  return { domains, available, withoutMail };
}

interface EarlierRow {
  problem: AgentAddresses['problem'];
  isReached: boolean;
  /** Null if there is no earlier address, like the time. */
  address: string | null;
  createdAt: string | null;
}

/** The state of an agent's address, and its earlier ones. @throws AppError not_found for an unknown or foreign id */
export async function getAgentAddresses({ identityId }: IdentityActor, agentId: string): Promise<AgentAddresses> {
  const found = await rows<EarlierRow>(pool(), {
    name: 'agent-addresses',
    isoTimes: true,
    text: `SELECT ${problemOf(currentAddress)} AS problem, e.address, ${reachesAgent('e.address')} AS "isReached", e.created_at AS "createdAt"
      FROM ${agents} a JOIN ${identities} i ON i.id = a.identity_id
        LEFT JOIN ${agentAddresses} e ON e.identity_id = a.identity_id AND e.agent_id = a.id
      WHERE a.identity_id = $1 AND a.id = $2 ORDER BY e.created_at DESC, e.address LIMIT 100`,
    values: [identityId, agentId],
  });
  const [agent] = found;
  if (!agent) throw notFound();
  return {
    problem: agent.problem,
    earlier: found.flatMap(({ address, isReached, createdAt }) =>
      address === null || createdAt === null ? [] : { address, isReached, createdAt },
    ),
  };
}
