import * as z from 'zod';
import { dashboardProcedure, router } from '@/server/platform/trpc/trpc';
import { largestRecordsSchema } from '../conversations/storage.schema';
import { getLargestRecords } from '../conversations/storage.service';
import { dataOverviewSchema } from './data.schema';
import { getDataOverview } from './data.service';

export const dataRouter = router({
  get: dashboardProcedure
    .meta({ scope: 'identity:read' })
    .input(z.object({}))
    .output(dataOverviewSchema)
    .query(({ ctx }) => getDataOverview(ctx.actor)),

  /** What takes the storage. */
  largest: dashboardProcedure
    .meta({ scope: 'conversations:read' })
    .input(z.object({}))
    .output(largestRecordsSchema)
    .query(({ ctx }) => getLargestRecords(ctx.actor)),
});
