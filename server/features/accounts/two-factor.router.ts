import * as z from 'zod';
import { successSchema } from '@/server/platform/fields.schema';
import { accountProcedure, router, successWithCookie } from '@/server/platform/trpc/trpc';
import { enableTwoFactorInput, recoveryCodesSchema, twoFactorSetupSchema, twoFactorStatusSchema } from './two-factor.schema';
import { beginTwoFactor, disableTwoFactor, enableTwoFactor, getTwoFactor, renewRecoveryCodes } from './two-factor.service';

export const twoFactorRouter = router({
  status: accountProcedure
    .input(z.object({}))
    .output(twoFactorStatusSchema)
    .query(({ ctx }) => getTwoFactor(ctx.actor)),

  begin: accountProcedure
    .meta({ fresh: true, events: [] })
    .input(z.object({}))
    .output(twoFactorSetupSchema)
    .mutation(({ ctx }) => beginTwoFactor(ctx.actor)),

  enable: accountProcedure
    .meta({ fresh: true, events: [] })
    .input(enableTwoFactorInput)
    .output(recoveryCodesSchema)
    .mutation(async ({ ctx, input }) => {
      const { recoveryCodes, cookie } = await enableTwoFactor(ctx.actor, input);
      ctx.response.headers.append('Set-Cookie', cookie);
      return { recoveryCodes };
    }),

  disable: accountProcedure
    .meta({ fresh: true, events: [] })
    .input(z.object({}))
    .output(successSchema)
    .mutation(({ ctx }) => successWithCookie(ctx, disableTwoFactor(ctx.actor))),

  renewRecoveryCodes: accountProcedure
    .meta({ fresh: true, events: [] })
    .input(z.object({}))
    .output(recoveryCodesSchema)
    .mutation(({ ctx }) => renewRecoveryCodes(ctx.actor)),
});
