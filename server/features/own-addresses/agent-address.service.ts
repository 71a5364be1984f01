import { addressClaims, whitelistedAddresses } from '@/server/features/addresses/address.sql';
import { agentAddresses, agents } from '@/server/features/agents/agent.sql';
import { identities } from '@/server/platform/auth/accounts.sql';
import { type Queryable, rows } from '@/server/platform/db/sql';
import type { AgentStatus } from '../agents/agent.schema';

/** The mail-related fields of an agent. */
export interface MailAgent {
  id: string;
  name: string;
  roleId: string;
  email: string;
  /** False if mail to this address goes to another identity, or to none because the domain is not proven. */
  isReached: boolean;
  /** Earlier addresses at which it still receives mail. */
  earlier: string[];
  status: AgentStatus;
  avatarUrl: string;
  avatarEmoji: string;
  signature: string;
}

/** The current address of the agent `a`. */
export const currentAddress = `(a.role_id || '@' || a.mail_domain)`;

/** Whether mail to an address reaches an agent of the identity `i`: the identity has it, and uses it for nothing else. */
export const reachesAgent = (address: string) => `(
    ${address} IS DISTINCT FROM i.address
    AND EXISTS (SELECT 1 FROM ${addressClaims} c WHERE c.identity_id = i.id AND c.address = ${address})
    AND NOT EXISTS (
      SELECT 1 FROM ${whitelistedAddresses} w WHERE w.identity_id = i.id AND w.status = 'proven' AND w.address = ${address}
    )
  )`;

/** The agents of an identity by name, with their mail addresses. At most a thousand. */
export async function listMailAgents(db: Queryable, identityId: string): Promise<MailAgent[]> {
  return rows<MailAgent>(db, {
    name: 'mail-agents',
    text: `SELECT a.id, a.name, a.role_id AS "roleId", ${currentAddress} AS email, ${reachesAgent(currentAddress)} AS "isReached",
        ARRAY(
          SELECT e.address FROM ${agentAddresses} e WHERE e.identity_id = a.identity_id AND e.agent_id = a.id
            AND ${reachesAgent('e.address')} ORDER BY e.created_at DESC, e.address
        ) AS earlier,
        a.status, a.avatar_url AS "avatarUrl", coalesce(a.persona->>'avatarEmoji', '') AS "avatarEmoji",
        coalesce(a.persona->>'signature', '') AS signature
      FROM ${agents} a JOIN ${identities} i ON i.id = a.identity_id
      WHERE a.identity_id = $1 ORDER BY a.name_key, a.id LIMIT 1000`,
    values: [identityId],
  });
}
