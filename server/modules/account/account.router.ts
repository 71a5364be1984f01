import { z } from 'zod';
import { accountProcedure, publicProcedure, router } from '@/server/api/trpc';
import { successSchema } from '../fields.schema';
import {
  accountSchema,
  changePasswordInput,
  completeSetupInput,
  setupResultSchema,
  setupStatusInput,
  setupStatusSchema,
  switchIdentityInput,
} from './account.schema';
import { changePassword, completeSetup, getAccount, isSetupTokenValid, needsSetup, switchIdentity } from './account.service';

export const accountRouter = router({
  get: accountProcedure
    .input(z.object({}))
    .output(accountSchema)
    .query(({ ctx }) => getAccount(ctx.actor)),

  changePassword: accountProcedure
    .input(changePasswordInput)
    .output(successSchema)
    .mutation(async ({ ctx, input }) => {
      await changePassword(ctx.actor, input, ctx.clientAddress);
      return { success: true };
    }),

  switchIdentity: accountProcedure
    .input(switchIdentityInput)
    .output(successSchema)
    .mutation(async ({ ctx, input }) => {
      ctx.response.headers.append('Set-Cookie', await switchIdentity(ctx.actor, input.identityId));
      return { success: true };
    }),
});

export const setupRouter = router({
  status: publicProcedure
    .input(setupStatusInput)
    .output(setupStatusSchema)
    .query(async ({ input }) => ({ needed: await needsSetup(), valid: await isSetupTokenValid(input.token) })),

  complete: publicProcedure
    .input(completeSetupInput)
    .output(setupResultSchema)
    .mutation(({ input }) => completeSetup(input)),
});
