import type { IdentityActor } from '@/server/platform/actor';
import { namesOfAgents } from '../agents/agent.service';
import { listDailyRequests } from '../api-keys/api-key.service';
import { getUsageOverview } from '../usage/overview.service';
import type { UsageOverview } from '../usage/usage.schema';

/** The usage page: consumption, with the names of agents and the requests of keys. */
export function getUsagePage(actor: IdentityActor): Promise<UsageOverview> {
  return getUsageOverview(actor, { agentNames: namesOfAgents, dailyRequests: listDailyRequests });
}
