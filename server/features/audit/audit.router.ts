import { dashboardProcedure, router } from '@/server/platform/trpc/trpc';
import { auditListSchema, listAuditInput } from './audit.schema';
import { listAudit } from './audit.service';
import { previousValuesInput, previousValuesSchema } from './previous-values.schema';
import { getPreviousValues } from './previous-values.service';
import { listSecurityInput, securityListSchema } from './security.schema';
import { listSecurity } from './security.service';

export const auditRouter = router({
  list: dashboardProcedure
    .meta({ scope: 'audit:read' })
    .input(listAuditInput)
    .output(auditListSchema)
    .query(({ ctx, input }) => listAudit(ctx.actor, input)),

  previous: dashboardProcedure
    .meta({ scope: 'audit:read' })
    .input(previousValuesInput)
    .output(previousValuesSchema)
    .query(({ ctx, input }) => getPreviousValues(ctx.actor, input.entryId)),

  security: dashboardProcedure
    .meta({ scope: 'audit:read' })
    .input(listSecurityInput)
    .output(securityListSchema)
    .query(({ ctx, input }) => listSecurity(ctx.actor, input)),
});
