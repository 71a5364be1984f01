import * as z from 'zod';
import { successSchema } from '@/server/platform/fields.schema';
import { accountProcedure, publicProcedure, router, successWithCookie } from '@/server/platform/trpc/trpc';
import {
  confirmByProviderInput,
  connectInput,
  joinByProviderInput,
  providerPageSchema,
  secondStepInput,
  signInOptionsSchema,
  singleSignOnStatusSchema,
} from './oidc.schema';
import { beginConfirming, beginConnecting, beginJoining } from './oidc.service';
import { disconnectSingleSignOn, getSignInOptions, getSingleSignOn } from './oidc-connection.service';
import { passSecondStep } from './oidc-sign-in.service';

export const singleSignOnRouter = router({
  options: publicProcedure.input(z.object({})).output(signInOptionsSchema).query(getSignInOptions),

  enterCode: publicProcedure
    .meta({ events: [] })
    .input(secondStepInput)
    .output(successSchema)
    .mutation(async ({ ctx, input }) => {
      const { cookies = null, clientAddress: address, requestId } = ctx;
      for (const cookie of await passSecondStep(input, { cookies, address, requestId })) {
        ctx.response.headers.append('Set-Cookie', cookie);
      }
      return { success: true } as const;
    }),

  join: publicProcedure
    .meta({ events: [] })
    .input(joinByProviderInput)
    .output(providerPageSchema)
    .mutation(async ({ ctx, input }) => {
      const { url, cookie } = await beginJoining(input, ctx.clientAddress);
      ctx.response.headers.append('Set-Cookie', cookie);
      return { url };
    }),

  status: accountProcedure
    .input(z.object({}))
    .output(singleSignOnStatusSchema)
    .query(({ ctx }) => getSingleSignOn(ctx.actor)),

  connect: accountProcedure
    .meta({ fresh: true, events: [] })
    .input(connectInput)
    .output(providerPageSchema)
    .mutation(async ({ ctx, input }) => {
      const { url, cookie } = await beginConnecting(ctx.actor, input);
      ctx.response.headers.append('Set-Cookie', cookie);
      return { url };
    }),

  confirm: accountProcedure
    .meta({ events: [] })
    .input(confirmByProviderInput)
    .output(providerPageSchema)
    .mutation(async ({ ctx, input }) => {
      const { url, cookie } = await beginConfirming(ctx.actor, input, ctx.clientAddress);
      ctx.response.headers.append('Set-Cookie', cookie);
      return { url };
    }),

  disconnect: accountProcedure
    .meta({ fresh: true, events: [] })
    .input(z.object({}))
    .output(successSchema)
    .mutation(({ ctx }) => successWithCookie(ctx, disconnectSingleSignOn(ctx.actor))),
});
