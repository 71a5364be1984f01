import { dashboardProcedure, router } from '@/server/api/trpc';
import { auditListSchema, listAuditInput } from './audit.schema';
import { listAudit } from './audit.service';

export const auditRouter = router({
  list: dashboardProcedure
    .input(listAuditInput)
    .output(auditListSchema)
    .query(({ ctx, input }) => listAudit(ctx.actor, input)),
});
