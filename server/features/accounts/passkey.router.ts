import * as z from 'zod';
import { successSchema } from '@/server/platform/fields.schema';
import { accountProcedure, publicProcedure, router, successOf, successWithCookie } from '@/server/platform/trpc/trpc';
import {
  addedPasskeySchema,
  addPasskeyInput,
  creationOptionsSchema,
  passkeyAnswerInput,
  passkeyIdInput,
  passkeyListSchema,
  passkeyOriginSchema,
  renamePasskeyInput,
  requestOptionsSchema,
} from './passkey.schema';
import { addPasskey, beginPasskey, listPasskeys, removePasskey, renamePasskey } from './passkey.service';
import { beginPasskeyConfirmation, beginPasskeySignIn, confirmWithPasskey, passkeyOrigin } from './passkey-sign-in.service';

export const passkeysRouter = router({
  list: accountProcedure
    .input(z.object({}))
    .output(passkeyListSchema)
    .query(({ ctx }) => listPasskeys(ctx.actor)),

  begin: accountProcedure
    .meta({ fresh: true, events: [] })
    .input(z.object({}))
    .output(creationOptionsSchema)
    .mutation(({ ctx }) => beginPasskey(ctx.actor)),

  add: accountProcedure
    .meta({ fresh: true, events: [] })
    .input(addPasskeyInput)
    .output(addedPasskeySchema)
    .mutation(async ({ ctx, input }) => {
      const { added, cookie } = await addPasskey(ctx.actor, input.credential);
      if (cookie !== null) ctx.response.headers.append('Set-Cookie', cookie);
      return added;
    }),

  rename: accountProcedure
    .meta({ events: [] })
    .input(renamePasskeyInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successOf(renamePasskey(ctx.actor, input))),

  remove: accountProcedure
    .meta({ fresh: true, events: [] })
    .input(passkeyIdInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successWithCookie(ctx, removePasskey(ctx.actor, input.id))),

  beginConfirmation: accountProcedure
    .meta({ events: [] })
    .input(z.object({}))
    .output(requestOptionsSchema)
    .mutation(({ ctx }) => beginPasskeyConfirmation(ctx.actor)),

  confirm: accountProcedure
    .meta({ events: [] })
    .input(passkeyAnswerInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successOf(confirmWithPasskey(ctx.actor, input.answer, ctx.clientAddress))),

  origin: publicProcedure.input(z.object({})).output(passkeyOriginSchema).query(passkeyOrigin),

  // next-auth takes the answer (next-auth.ts).
  beginSignIn: publicProcedure
    .meta({ events: [] })
    .input(z.object({}))
    .output(requestOptionsSchema)
    .mutation(() => beginPasskeySignIn()),
});
