import * as z from 'zod';
import { dashboardProcedure, router } from '@/server/platform/trpc/trpc';
import { agentIdInput } from '../agents/agent.schema';
import { moveAgents, removeAgentAddress } from '../agents/agent-domain.service';
import {
  agentAddressesSchema,
  agentMailSchema,
  moveAgentsInput,
  movedAgentsSchema,
  removeAgentAddressInput,
} from './agent-mail.schema';
import { getAgentAddresses, getAgentMail } from './agent-mail.service';

export const agentMailRouter = router({
  agents: dashboardProcedure
    .meta({ scope: 'agents:read' })
    .input(z.object({}))
    .output(agentMailSchema)
    .query(({ ctx }) => getAgentMail(ctx.actor)),

  moveAgents: dashboardProcedure
    .meta({ scope: 'agents:write', fresh: true, events: ['agent.updated'] })
    .input(moveAgentsInput)
    .output(movedAgentsSchema)
    .mutation(({ ctx, input }) => moveAgents(ctx.actor, input.domain)),

  agentAddresses: dashboardProcedure
    .meta({ scope: 'agents:read' })
    .input(agentIdInput)
    .output(agentAddressesSchema)
    .query(({ ctx, input }) => getAgentAddresses(ctx.actor, input.agentId)),

  removeAgentAddress: dashboardProcedure
    .meta({ scope: 'agents:write', fresh: true, events: [] })
    .input(removeAgentAddressInput)
    .output(agentAddressesSchema)
    .mutation(async ({ ctx, input }) => {
      await removeAgentAddress(ctx.actor, input.agentId, input.address);
      return getAgentAddresses(ctx.actor, input.agentId);
    }),
});
