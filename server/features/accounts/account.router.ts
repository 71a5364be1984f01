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
import { photoBodyMaximumBytes, setPhotoInput, updateProfileInput } from './profile.schema';
import { removePhoto, setPhoto, updateProfile } from './profile.service';
import { endedSessionsSchema, endSessionsInput, sessionIdInput, sessionListSchema } from './session.schema';
import { endOtherSessions, endSession, listSessions, signOutEverywhere } from './session.service';
import { completeSetup, isSetupTokenValid, needsSetup } from './setup.service';
import { confirmSignInInput } from './two-factor.schema';

export const accountRouter = router({
  get: accountProcedure
    .input(z.object({}))
    .output(accountSchema)
    .query(({ ctx }) => getAccount(ctx.actor)),

  updateProfile: accountProcedure
    .meta({ events: [] })
    .input(updateProfileInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successOf(updateProfile(ctx.actor, input))),

  setPhoto: accountProcedure
    .meta({ rest: { maximumBodyBytes: photoBodyMaximumBytes }, events: [] })
    .input(setPhotoInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successOf(setPhoto(ctx.actor, input))),

  removePhoto: accountProcedure
    .meta({ events: [] })
    .input(z.object({}))
    .output(successSchema)
    .mutation(({ ctx }) => successOf(removePhoto(ctx.actor))),

  changePassword: accountProcedure
    .meta({ events: [] })
    .input(changePasswordInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successWithCookie(ctx, changePassword(ctx.actor, input, ctx.clientAddress))),

  changeEmail: accountProcedure
    .meta({ events: [] })
    .input(changeEmailInput)
    .output(pendingEmailSchema)
    .mutation(({ ctx, input }) => requestEmailChange(ctx.actor, input, ctx.clientAddress)),

  proveEmail: accountProcedure
    .meta({ events: [] })
    .input(z.object({}))
    .output(pendingEmailSchema)
    .mutation(({ ctx }) => requestEmailProof(ctx.actor, ctx.clientAddress)),

  cancelEmailChange: accountProcedure
    .meta({ events: [] })
    .input(z.object({}))
    .output(successSchema)
    .mutation(({ ctx }) => successOf(cancelEmailChange(ctx.actor))),

  // Not a query: its input would appear in the URL, and so in logs.
  readEmailLink: accountProcedure
    .meta({ events: [] })
    .input(linkTokenInput)
    .output(emailLinkSchema)
    .mutation(({ ctx, input }) => readEmailLink(ctx.actor, input.token)),

  confirmEmail: accountProcedure
    .meta({ events: [] })
    .input(linkTokenInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successWithCookie(ctx, confirmEmail(ctx.actor, input.token))),

  confirm: accountProcedure
    .meta({ events: [] })
    .input(confirmSignInInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successOf(confirmSignIn(ctx.actor, input, ctx.clientAddress))),

  sessions: accountProcedure
    .input(z.object({}))
    .output(sessionListSchema)
    .query(({ ctx }) => listSessions(ctx.actor)),

  endSession: accountProcedure
    .meta({ events: [] })
    .input(sessionIdInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successOf(endSession(ctx.actor, input.id))),

  endOtherSessions: accountProcedure
    .meta({ events: [] })
    .input(endSessionsInput)
    .output(endedSessionsSchema)
    .mutation(({ ctx, input }) => endOtherSessions(ctx.actor, input)),

  signOutEverywhere: accountProcedure
    .meta({ events: [] })
    .input(endSessionsInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successOf(signOutEverywhere(ctx.actor, input))),

  switchIdentity: accountProcedure
    .meta({ events: [] })
    .input(switchIdentityInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successWithCookie(ctx, switchIdentity(ctx.actor, input.identityId))),

  createIdentity: accountProcedure
    .meta({ creates: 'record', events: ['agent.created'] })
    .input(createOwnIdentityInput)
    .output(createdIdentitySchema)
    .mutation(async ({ ctx, input }) => {
      const { identityId, cookie } = await createOwnIdentity(ctx.actor, input);
      ctx.response.headers.append('Set-Cookie', cookie);
      return { identityId };
    }),

  identityContents: dashboardProcedure
    .meta({ scope: 'identity:read' })
    .input(z.object({}))
    .output(identityContentsSchema)
    .query(({ ctx }) => getIdentityContents(ctx.actor)),

  deleteIdentity: dashboardProcedure
    .meta({ scope: '*', fresh: true, events: [] })
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
    .meta({ events: ['agent.created', 'api_key.created'] })
    .input(completeSetupInput)
    .output(setupResultSchema)
    .mutation(({ input }) => completeSetup(input)),
});
