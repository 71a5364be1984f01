import * as z from 'zod';
import { dashboardProcedure, identityProcedure, router } from '@/server/platform/trpc/trpc';
import { listExecutions } from './activity.service';
import {
  executionListSchema,
  listExecutionsInput,
  trackBatchInput,
  trackedBatchSchema,
  trackedSchema,
  trackInput,
  usageStatsSchema,
} from './usage.schema';
import { getUsageStats, trackUsage, trackUsageBatch } from './usage.service';

const tags = ['Usage'];

export const usageRouter = router({
  track: identityProcedure
    .meta({
      scope: 'usage:write',
      agentField: 'agentId',
      openapi: {
        method: 'POST',
        path: '/usage/track',
        tags,
        summary: 'Record token usage or an execution',
        description:
          '`token_usage` needs `totalTokens`, or `promptTokens` and `completionTokens`; `agent_execution` needs `agentId` and `status`. ' +
          'Stored when it answers, and counted at once. Nothing is refused for being over the plan.',
      },
      events: ['usage.threshold_reached'],
    })
    .input(trackInput)
    .output(trackedSchema)
    .mutation(({ ctx, input }) => trackUsage(ctx.actor, input)),

  trackBatch: identityProcedure
    .meta({
      scope: 'usage:write',
      agentField: 'records.*.agentId',
      openapi: {
        method: 'POST',
        path: '/usage/track/batch',
        tags,
        summary: 'Record up to 100 at once',
        description: 'Answers for each record its id, or why it was not taken.',
      },
      rest: { maximumBodyBytes: 5 * 1024 * 1024 },
      events: ['usage.threshold_reached'],
    })
    .input(trackBatchInput)
    .output(trackedBatchSchema)
    .mutation(({ ctx, input }) => trackUsageBatch(ctx.actor, input)),

  stats: identityProcedure
    .meta({
      scope: 'usage:read',
      openapi: {
        method: 'GET',
        path: '/usage/stats',
        tags,
        summary: 'Get usage against the plan',
        description: 'Counts the current UTC month.',
      },
      rest: { errors: [404] },
    })
    .input(z.object({}))
    .output(usageStatsSchema)
    .query(({ ctx }) => getUsageStats(ctx.actor)),

  executions: dashboardProcedure
    .meta({ scope: 'usage:read' })
    .input(listExecutionsInput)
    .output(executionListSchema)
    .query(({ ctx, input }) => listExecutions(ctx.actor, input)),
});
