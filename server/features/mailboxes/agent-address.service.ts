import { addressClaims, whitelistedAddresses } from '@/server/features/addresses/address.sql';
import { agents } from '@/server/features/agents/agent.sql';
import { identities } from '@/server/platform/auth/accounts.sql';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { mailDomainOf } from '../addresses/address-claim.service';
import type { AgentStatus } from '../agents/agent.schema';

/** The mail-related fields of an agent. */
export interface MailAgent {
  id: string;
  name: string;
  roleId: string;
  email: string;
  /** False if mail to this address goes to another identity, or to none because the domain is not proven. */
  isReached: boolean;
  status: AgentStatus;
  avatarUrl: string;
  avatarEmoji: string;
  signature: string;
}

interface MailAgentRow extends Omit<MailAgent, 'email'> {
  address: string | null;
  handle: string;
}

/**
 * Whether the agent `a` of the identity `i` receives mail at its address: the identity owns it, and does not use it for
 * anything else.
 */
const isReached = `EXISTS (SELECT 1 FROM ${addressClaims} c WHERE c.identity_id = i.id AND c.address = a.role_id || '@' || mail_domain(i.address, i.handle))
  AND a.role_id || '@' || mail_domain(i.address, i.handle) IS DISTINCT FROM i.address
  AND NOT EXISTS (
    SELECT 1 FROM ${whitelistedAddresses} w
    WHERE w.identity_id = i.id AND w.status = 'proven' AND w.address = a.role_id || '@' || mail_domain(i.address, i.handle)
  )`;

/** The agents of an identity by name, with their mail addresses. At most a thousand. */
export async function listMailAgents(db: Queryable, identityId: string): Promise<MailAgent[]> {
  const found = await rows<MailAgentRow>(db, {
    name: 'mail-agents',
    text: `SELECT a.id, a.name, a.role_id AS "roleId", (${isReached}) AS "isReached", a.status, a.avatar_url AS "avatarUrl",
        coalesce(a.persona->>'avatarEmoji', '') AS "avatarEmoji", coalesce(a.persona->>'signature', '') AS signature, i.address, i.handle
      FROM ${agents} a JOIN ${identities} i ON i.id = a.identity_id
      WHERE a.identity_id = $1 ORDER BY a.name_key, a.id LIMIT 1000`,
    values: [identityId],
  });
  return found.map(({ address, handle, ...agent }) => ({
    ...agent,
    email: `${agent.roleId}@${mailDomainOf({ address, handle })}`,
  }));
}
