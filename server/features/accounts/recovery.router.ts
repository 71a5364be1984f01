import * as z from 'zod';
import { successSchema } from '@/server/platform/fields.schema';
import { publicProcedure, router } from '@/server/platform/trpc/trpc';
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
    .input(requestResetInput)
    .output(successSchema)
    .mutation(async ({ ctx, input }) => {
      await requestPasswordReset(input, ctx.clientAddress);
      return { success: true };
    }),

  // Not a query: its input would appear in the URL, and so in logs.
  readPasswordLink: publicProcedure
    .input(linkTokenInput)
    .output(passwordLinkSchema)
    .mutation(({ input }) => readPasswordLink(input.token)),

  resetPassword: publicProcedure
    .input(resetPasswordInput)
    .output(successSchema)
    .mutation(async ({ ctx, input }) => {
      ctx.response.headers.append('Set-Cookie', await resetPassword(input, ctx.cookies ?? null));
      return { success: true };
    }),
});
