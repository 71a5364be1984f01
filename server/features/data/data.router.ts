import * as z from 'zod';
import { dashboardProcedure, router } from '@/server/platform/trpc/trpc';
import { dataOverviewSchema } from './data.schema';
import { getDataOverview } from './data.service';

export const dataRouter = router({
  get: dashboardProcedure
    .meta({ scope: 'identity:read' })
    .input(z.object({}))
    .output(dataOverviewSchema)
    .query(({ ctx }) => getDataOverview(ctx.actor)),
});
