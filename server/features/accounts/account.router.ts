import * as z from 'zod';
import { successSchema } from '@/server/platform/fields.schema';
import {
  accountProcedure,
  dashboardProcedure,
  publicProcedure,
  router,
  successOf,
  successWithCookie,
} from '@/server/platform/trpc/trpc';
import {
  accountSchema,
  changeEmailInput,
  changePasswordInput,
  completeSetupInput,
  createdIdentitySchema,
  createOwnIdentityInput,
  deleteIdentityInput,
  emailLinkSchema,
  identityContentsSchema,
  linkTokenInput,
  pendingEmailSchema,
  setupResultSchema,
  setupStatusInput,
  setupStatusSchema,
  switchIdentityInput,
} from './account.schema';
import { changePassword, getAccount, switchIdentity } from './account.service';
import { confirmSignIn } from './confirm.service';
import { cancelEmailChange, confirmEmail, readEmailLink, requestEmailChange, requestEmailProof } from './email-change.service';
import { createOwnIdentity, deleteIdentity, getIdentityContents } from './owned-identity.service';
import { endedSessionsSchema, sessionIdInput, sessionListSchema } from './session.schema';
import { endOtherSessions, endSession, listSessions, signOutEverywhere } from './session.service';
import { completeSetup, isSetupTokenValid, needsSetup } from './setup.service';
import { confirmSignInInput } from './two-factor.schema';

export const accountRouter = router({
  get: accountProcedure
    .input(z.object({}))
    .output(accountSchema)
    .query(({ ctx }) => getAccount(ctx.actor)),

  changePassword: accountProcedure
    .input(changePasswordInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successWithCookie(ctx, changePassword(ctx.actor, input, ctx.clientAddress))),

  changeEmail: accountProcedure
    .input(changeEmailInput)
    .output(pendingEmailSchema)
    .mutation(({ ctx, input }) => requestEmailChange(ctx.actor, input, ctx.clientAddress)),

  proveEmail: accountProcedure
    .input(z.object({}))
    .output(pendingEmailSchema)
    .mutation(({ ctx }) => requestEmailProof(ctx.actor, ctx.clientAddress)),

  cancelEmailChange: accountProcedure
    .input(z.object({}))
    .output(successSchema)
    .mutation(({ ctx }) => successOf(cancelEmailChange(ctx.actor))),

  // Not a query: its input would appear in the URL, and so in logs.
  readEmailLink: accountProcedure
    .input(linkTokenInput)
    .output(emailLinkSchema)
    .mutation(({ ctx, input }) => readEmailLink(ctx.actor, input.token)),

  confirmEmail: accountProcedure
    .input(linkTokenInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successWithCookie(ctx, confirmEmail(ctx.actor, input.token))),

  confirm: accountProcedure
    .input(confirmSignInInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successOf(confirmSignIn(ctx.actor, input, ctx.clientAddress))),

  sessions: accountProcedure
    .input(z.object({}))
    .output(sessionListSchema)
    .query(({ ctx }) => listSessions(ctx.actor)),

  endSession: accountProcedure
    .input(sessionIdInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successOf(endSession(ctx.actor, input.id))),

  endOtherSessions: accountProcedure
    .input(z.object({}))
    .output(endedSessionsSchema)
    .mutation(({ ctx }) => endOtherSessions(ctx.actor)),

  signOutEverywhere: accountProcedure
    .input(z.object({}))
    .output(successSchema)
    .mutation(({ ctx }) => successOf(signOutEverywhere(ctx.actor))),

  switchIdentity: accountProcedure
    .input(switchIdentityInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successWithCookie(ctx, switchIdentity(ctx.actor, input.identityId))),

  createIdentity: accountProcedure
    .meta({ creates: 'record' })
    .input(createOwnIdentityInput)
    .output(createdIdentitySchema)
    .mutation(async ({ ctx, input }) => {
      const { identityId, cookie } = await createOwnIdentity(ctx.actor, input);
      ctx.response.headers.append('Set-Cookie', cookie);
      return { identityId };
    }),

  identityContents: dashboardProcedure
    .input(z.object({}))
    .output(identityContentsSchema)
    .query(({ ctx }) => getIdentityContents(ctx.actor)),

  deleteIdentity: dashboardProcedure
    .meta({ fresh: true })
    .input(deleteIdentityInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successOf(deleteIdentity(ctx.actor, input))),
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
