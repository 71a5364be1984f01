import * as z from 'zod';
import { dashboardProcedure, router } from '@/server/platform/trpc/trpc';
import { usageOverviewSchema } from '../usage/usage.schema';
import { getFirstSteps } from './first-steps.service';
import { firstStepsSchema, homeSchema } from './home.schema';
import { getHome } from './home.service';
import { getUsagePage } from './usage-overview.service';

export const homeRouter = router({
  get: dashboardProcedure
    .input(z.object({}))
    .output(homeSchema)
    .query(({ ctx }) => getHome(ctx.actor)),

  firstSteps: dashboardProcedure
    .input(z.object({}))
    .output(firstStepsSchema)
    .query(({ ctx }) => getFirstSteps(ctx.actor)),

  usage: dashboardProcedure
    .input(z.object({}))
    .output(usageOverviewSchema)
    .query(({ ctx }) => getUsagePage(ctx.actor)),
});
