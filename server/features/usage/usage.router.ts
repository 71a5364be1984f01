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
          'Counted immediately. Usage over the plan’s limit is recorded, too.',
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
        summary: 'Record up to 100 usage records',
        description: 'Returns the ID of each record, or why it was rejected.',
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
        summary: 'Get usage statistics',
        description: 'For the current month (UTC).',
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
