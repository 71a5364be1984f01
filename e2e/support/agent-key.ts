import { listAgents } from '@/server/features/agents/agent.service';
import { createApiKey } from '@/server/features/api-keys/api-key.service';
import type { Tenant } from './test';

/** A key of the agent that a tenant has from the start, and the agent's name. */
export async function createAgentKey({ identityId }: Tenant): Promise<{ key: string; name: string }> {
  const actor = { kind: 'system', identityId } as const;
  const [agent] = (await listAgents(actor, { limit: 1, offset: 0 })).agents;
  const { key } = await createApiKey(actor, { name: 'Agent', expiresAt: null, agentId: agent?.id ?? null });
  return { key, name: agent?.name ?? '' };
}
