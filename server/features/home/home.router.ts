import * as z from 'zod';
import { dashboardProcedure, router } from '@/server/platform/trpc/trpc';
import { usageOverviewSchema } from '../usage/usage.schema';
import { getFirstSteps } from './first-steps.service';
import { firstStepsSchema, homeSchema } from './home.schema';
import { getHome } from './home.service';
import { getUsagePage } from './usage-overview.service';

export const homeRouter = router({
  get: dashboardProcedure
    .meta({ scope: 'identity:read' })
    .input(z.object({}))
    .output(homeSchema)
    .query(({ ctx }) => getHome(ctx.actor)),

  firstSteps: dashboardProcedure
    .meta({ scope: 'identity:read' })
    .input(z.object({}))
    .output(firstStepsSchema)
    .query(({ ctx }) => getFirstSteps(ctx.actor)),

  usage: dashboardProcedure
    .meta({ scope: 'usage:read' })
    .input(z.object({}))
    .output(usageOverviewSchema)
    .query(({ ctx }) => getUsagePage(ctx.actor)),
});
