import { dashboardProcedure, router } from '@/server/platform/trpc/trpc';
import { foundRecordsSchema, searchRecordsInput } from './search.schema';
import { searchRecords } from './search.service';

export const searchRouter = router({
  records: dashboardProcedure
    .meta({ scope: 'identity:read' })
    .input(searchRecordsInput)
    .output(foundRecordsSchema)
    .query(({ ctx, input }) => searchRecords(ctx.actor, input)),
});
