import { type Queryable, rows } from '@/server/db/sql';
import { mailDomainOf } from './agent.record';
import type { AgentStatus } from './agent.schema';

/** An agent as far as mail is concerned. */
export interface MailAgent {
  id: string;
  name: string;
  roleId: string;
  email: string;
  /** False where mail to this address comes to another identity, which had it first. */
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
 * Whether mail to the agent `a` of the identity `i` really comes to it: no identity has the address as its own, and no older one on the
 * same domain has an agent of this role (see `findAddressedAgents`).
 */
const isReached = `NOT EXISTS (SELECT 1 FROM identities WHERE address = a.role_id || '@' || split_part(i.address, '@', 2))
  AND NOT EXISTS (SELECT 1 FROM whitelisted_addresses WHERE address = a.role_id || '@' || split_part(i.address, '@', 2))
  AND NOT EXISTS (
    SELECT 1 FROM identities older JOIN agents same ON same.identity_id = older.id AND same.role_id = a.role_id
    WHERE split_part(older.address, '@', 2) = split_part(i.address, '@', 2) AND (older.created_at, older.id) < (i.created_at, i.id)
  )`;

/** The agents of an identity by name, with the addresses they get mail at. At most a thousand. */
export async function listMailAgents(db: Queryable, identityId: string): Promise<MailAgent[]> {
  const found = await rows<MailAgentRow>(db, {
    name: 'mail-agents',
    text: `SELECT a.id, a.name, a.role_id AS "roleId", (i.address IS NULL OR (${isReached})) AS "isReached", a.status, a.avatar_url AS "avatarUrl",
        coalesce(a.persona->>'avatarEmoji', '') AS "avatarEmoji", coalesce(a.persona->>'signature', '') AS signature, i.address, i.handle
      FROM agents a JOIN identities i ON i.id = a.identity_id
      WHERE a.identity_id = $1 ORDER BY a.name_key, a.id LIMIT 1000`,
    values: [identityId],
  });
  return found.map(({ address, handle, ...agent }) => ({
    ...agent,
    email: `${agent.roleId}@${mailDomainOf({ address, handle })}`,
  }));
}

export interface AddressedAgent {
  email: string;
  identityId: string;
  agentId: string;
}

/**
 * The agents that these addresses (in lower case) belong to. Where identities share a domain and each has an agent of that role, it
 * is the oldest identity's.
 */
export async function findAddressedAgents(db: Queryable, addresses: readonly string[]): Promise<AddressedAgent[]> {
  const split = addresses.map((address) => {
    const at = address.lastIndexOf('@');
    return { local: address.slice(0, at), domain: address.slice(at + 1) };
  });
  return rows<AddressedAgent>(db, {
    name: 'addressed-agents',
    text: `SELECT DISTINCT ON (asked.email) asked.email, a.identity_id AS "identityId", a.id AS "agentId"
      FROM unnest($1::text[], $2::text[], $3::text[]) AS asked(email, local, domain)
      JOIN LATERAL (
        SELECT id, created_at FROM identities WHERE split_part(address, '@', 2) = asked.domain
        UNION ALL
        SELECT id, created_at FROM identities
          WHERE address IS NULL AND handle = left(asked.domain, -10) AND right(asked.domain, 10) = '.localhost'
      ) i ON true
      JOIN agents a ON a.identity_id = i.id AND a.role_id = asked.local
      ORDER BY asked.email, i.created_at, i.id`,
    values: [addresses, split.map(({ local }) => local), split.map(({ domain }) => domain)],
  });
}
