import * as z from 'zod';
import { successSchema } from '@/server/platform/fields.schema';
import { publicProcedure, router, successOf, successWithCookie } from '@/server/platform/trpc/trpc';
import {
  linkTokenInput,
  passwordLinkSchema,
  recoveryStatusSchema,
  requestResetInput,
  resetPasswordInput,
} from './account.schema';
import { getRecoveryStatus, readPasswordLink, requestPasswordReset, resetPassword } from './password-reset.service';

/** For people who can't sign in. */
export const recoveryRouter = router({
  status: publicProcedure.input(z.object({})).output(recoveryStatusSchema).query(getRecoveryStatus),

  requestPasswordReset: publicProcedure
    .meta({ events: [] })
    .input(requestResetInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successOf(requestPasswordReset(input, ctx.clientAddress))),

  // Not a query: its input would appear in the URL, and so in logs.
  readPasswordLink: publicProcedure
    .meta({ events: [] })
    .input(linkTokenInput)
    .output(passwordLinkSchema)
    .mutation(({ input }) => readPasswordLink(input.token)),

  resetPassword: publicProcedure
    .meta({ events: [] })
    .input(resetPasswordInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successWithCookie(ctx, resetPassword(input, ctx.cookies ?? null))),
});
