import { dashboardProcedure, identityProcedure, router } from '@/server/platform/trpc/trpc';
import {
  agentDetailSchema,
  agentIdInput,
  agentListSchema,
  createAgentInput,
  listAgentsInput,
  updateAgentInput,
} from './agent.schema';
import { agentVersion, createAgent, duplicateAgent, getAgent, listAgents, refuseNotEditable, updateAgent } from './agent.service';
import { escalationSchema, updateEscalationInput } from './escalation.schema';
import { escalationVersion, getEscalation, nameRoutes, updateEscalation } from './escalation.service';

const tags = ['Agents'];
const path = '/identity/agents' as const;
const agentPath = `${path}/{agentId}` as const;

export const agentsRouter = router({
  list: identityProcedure
    .meta({
      scope: 'agents:read',
      openapi: {
        method: 'GET',
        path,
        tags,
        summary: 'List agents',
        description: 'Sorted by name. All given filters must match.',
      },
    })
    .input(listAgentsInput)
    .output(agentListSchema)
    .query(({ ctx, input }) => listAgents(ctx.actor, input)),

  get: identityProcedure
    .meta({
      scope: 'agents:read',
      openapi: { method: 'GET', path: agentPath, tags, summary: 'Get an agent' },
    })
    .input(agentIdInput)
    .output(agentDetailSchema)
    .version(agentVersion)
    .query(({ ctx, input }) => getAgent(ctx.actor, input.agentId)),

  update: identityProcedure
    .meta({
      scope: 'agents:write',
      openapi: {
        method: 'PATCH',
        path: agentPath,
        tags,
        summary: 'Update an agent',
        description:
          'Only the given fields change; `persona` is merged key by key, and null removes a key. A body with a field that isn’t in ' +
          '`editableFields` is rejected as a whole, with `details.notEditable`.',
      },
      events: ['agent.updated'],
    })
    .check(refuseNotEditable)
    .input(updateAgentInput)
    .output(agentDetailSchema)
    .mutation(({ ctx, input }) => updateAgent(ctx.actor, input)),

  hitl: identityProcedure
    .meta({
      scope: 'agents:read',
      openapi: {
        method: 'GET',
        path: `${agentPath}/hitl`,
        tags,
        summary: 'Get escalation routes',
        description: 'Who the agent contacts when it needs a person, by level. If no one else is named, `ownerEmail` is used.',
      },
    })
    .input(agentIdInput)
    .output(escalationSchema)
    .version(escalationVersion)
    .query(({ ctx, input }) => getEscalation(ctx.actor, input.agentId)),

  updateHitl: identityProcedure
    .meta({
      scope: 'agents:write',
      notForAgents: true,
      openapi: {
        method: 'PATCH',
        path: `${agentPath}/hitl`,
        tags,
        summary: 'Replace escalation routes',
        description:
          '`routes` replaces all routes; `[]` removes them; without `routes`, nothing changes. Levels must be unique; `sms` needs ' +
          '`contactInfo.phone` in E.164 format, `slack` needs `contactInfo.slack`. Errors are listed in `details.routes`.',
      },
      events: ['agent.hitl.updated', 'agent.updated'],
    })
    .input(updateEscalationInput)
    .explain(nameRoutes)
    .output(escalationSchema)
    .mutation(({ ctx, input }) => updateEscalation(ctx.actor, input)),

  create: dashboardProcedure
    .meta({ scope: 'agents:write', creates: 'record', events: ['agent.created'] })
    .input(createAgentInput)
    .output(agentDetailSchema)
    .mutation(({ ctx, input }) => createAgent(ctx.actor, input)),

  duplicate: dashboardProcedure
    .meta({ scope: 'agents:write', creates: 'record', events: ['agent.created'] })
    .input(agentIdInput)
    .output(agentDetailSchema)
    .mutation(({ ctx, input }) => duplicateAgent(ctx.actor, input.agentId)),
});
