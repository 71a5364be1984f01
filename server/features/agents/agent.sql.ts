/** Agents, for queries of other features. */

export const agents =
  '(SELECT id, identity_id, name, name_key, role_id, mail_domain, status, avatar_url, persona, updated_at FROM agents)';

export const agentAddresses = '(SELECT identity_id, agent_id, address, created_at FROM agent_addresses)';

export const agentSizes = '(SELECT identity_id, pg_column_size(r) AS bytes FROM agents r)';
