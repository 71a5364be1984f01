import * as z from 'zod';
import { successSchema } from '@/server/platform/fields.schema';
import { dashboardProcedure, router, successOf } from '@/server/platform/trpc/trpc';
import {
  listOutboxInput,
  listQuarantineInput,
  mailSetupSchema,
  outboxListSchema,
  outboxMailDetailSchema,
  outboxMailIdInput,
  quarantinedMailIdInput,
  quarantineListSchema,
} from './mail.schema';
import { listOutbox, resendMail } from './outbox-list.service';
import { getOutboxMail } from './outbox-mail.service';
import { listQuarantine, removeQuarantined } from './quarantine.service';
import { getMailSetup } from './setup.service';
import { mailStatusSchema, testMailInput, testMailSchema } from './status.schema';
import { getMailStatus } from './status.service';
import { getTestMail, sendTestMail } from './test-mail.service';

export const mailRouter = router({
  setup: dashboardProcedure
    .meta({ scope: 'identity:read' })
    .input(z.object({}))
    .output(mailSetupSchema)
    .query(({ ctx }) => getMailSetup(ctx.actor)),

  status: dashboardProcedure
    .meta({ scope: 'identity:read' })
    .input(z.object({}))
    .output(mailStatusSchema)
    .query(({ ctx }) => getMailStatus(ctx.actor)),

  sendTest: dashboardProcedure
    .meta({ scope: 'conversations:send', events: [] })
    .input(z.object({}))
    .output(testMailSchema)
    .mutation(({ ctx }) => sendTestMail(ctx.actor)),

  testMail: dashboardProcedure
    .meta({ scope: 'identity:read' })
    .input(testMailInput)
    .output(testMailSchema)
    .query(({ ctx, input }) => getTestMail(ctx.actor, input.mailId)),

  outbox: dashboardProcedure
    .meta({ scope: 'conversations:read' })
    .input(listOutboxInput)
    .output(outboxListSchema)
    .query(({ ctx, input }) => listOutbox(ctx.actor, input)),

  get: dashboardProcedure
    .meta({ scope: 'conversations:read' })
    .input(outboxMailIdInput)
    .output(outboxMailDetailSchema)
    .query(({ ctx, input }) => getOutboxMail(ctx.actor, input.mailId)),

  resend: dashboardProcedure
    .meta({ scope: 'conversations:send', events: ['message.queued', 'conversation.updated'] })
    .input(outboxMailIdInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successOf(resendMail(ctx.actor, input.mailId))),

  quarantine: dashboardProcedure
    .meta({ scope: 'conversations:read' })
    .input(listQuarantineInput)
    .output(quarantineListSchema)
    .query(({ ctx, input }) => listQuarantine(ctx.actor, input.before)),

  removeQuarantined: dashboardProcedure
    .meta({ scope: 'conversations:write', events: [] })
    .input(quarantinedMailIdInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successOf(removeQuarantined(ctx.actor, input.mailId))),
});
