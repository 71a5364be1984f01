import * as z from 'zod';
import { successSchema } from '@/server/platform/fields.schema';
import {
  accountProcedure,
  dashboardProcedure,
  identityProcedure,
  publicProcedure,
  router,
  successOf,
  successWithCookie,
} from '@/server/platform/trpc/trpc';
import {
  acceptInvitation,
  declineInvitation,
  invite,
  joinWithNewAccount,
  readInvitation,
  resendInvitation,
  revokeInvitation,
} from './invitation.service';
import { getTeam, leaveTeam, listMembers, removeMember, requireTwoFactor, setRole } from './member.service';
import { getSignature, setSignature } from './signature.service';
import {
  invitationIdInput,
  invitationTokenInput,
  inviteInput,
  issuedInvitationSchema,
  joinInput,
  memberIdInput,
  memberListSchema,
  openInvitationSchema,
  requireTwoFactorInput,
  setRoleInput,
  signatureSchema,
  teamSchema,
} from './team.schema';

export const membersRouter = router({
  list: identityProcedure
    .meta({
      scope: 'members:read',
      openapi: {
        method: 'GET',
        path: '/identity/members',
        tags: ['Identity'],
        summary: 'List members',
        description:
          'Owners first, then other members, then open invitations; at most 200 in total. Keys of agents don’t get `email`.',
      },
    })
    .input(z.object({}))
    .output(memberListSchema)
    .query(({ ctx }) => listMembers(ctx.actor)),

  team: dashboardProcedure
    .meta({ scope: 'members:read' })
    .input(z.object({}))
    .output(teamSchema)
    .query(({ ctx }) => getTeam(ctx.actor)),

  signature: dashboardProcedure
    .meta({ scope: 'members:read' })
    .input(z.object({}))
    .output(signatureSchema)
    .query(({ ctx }) => getSignature(ctx.actor)),

  setSignature: dashboardProcedure
    .meta({ scope: 'members:read', events: [] })
    .input(signatureSchema)
    .output(successSchema)
    .mutation(({ ctx, input }) => successOf(setSignature(ctx.actor, input))),

  setRole: dashboardProcedure
    .meta({ scope: 'members:write', fresh: true, events: [] })
    .input(setRoleInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successOf(setRole(ctx.actor, input))),

  remove: dashboardProcedure
    .meta({ scope: 'members:write', fresh: true, events: [] })
    .input(memberIdInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successOf(removeMember(ctx.actor, input.userId))),

  leave: dashboardProcedure
    .meta({ scope: 'members:read', withoutTwoFactor: true, fresh: true, events: [] })
    .input(z.object({}))
    .output(successSchema)
    .mutation(({ ctx }) => successOf(leaveTeam(ctx.actor))),

  requireTwoFactor: dashboardProcedure
    .meta({ scope: 'members:write', fresh: true, events: [] })
    .input(requireTwoFactorInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successOf(requireTwoFactor(ctx.actor, input.isRequired))),

  invite: dashboardProcedure
    .meta({ scope: 'members:write', fresh: true, creates: 'secret', events: [] })
    .input(inviteInput)
    .output(issuedInvitationSchema)
    .mutation(({ ctx, input }) => invite(ctx.actor, input)),

  resendInvitation: dashboardProcedure
    .meta({ scope: 'members:write', fresh: true, creates: 'secret', events: [] })
    .input(invitationIdInput)
    .output(issuedInvitationSchema)
    .mutation(({ ctx, input }) => resendInvitation(ctx.actor, input.id)),

  revokeInvitation: dashboardProcedure
    .meta({ scope: 'members:write', fresh: true, events: [] })
    .input(invitationIdInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successOf(revokeInvitation(ctx.actor, input.id))),
});

/** What people with the link of an invitation do. */
export const invitationsRouter = router({
  // Not a query: its input would appear in the URL, and so in logs.
  read: publicProcedure
    .meta({ events: [] })
    .input(invitationTokenInput)
    .output(openInvitationSchema)
    .mutation(({ input }) => readInvitation(input.token)),

  accept: accountProcedure
    .meta({ events: [] })
    .input(invitationTokenInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successWithCookie(ctx, acceptInvitation(ctx.actor, input.token))),

  join: publicProcedure
    .meta({ events: [] })
    .input(joinInput)
    .output(z.object({ email: z.string() }))
    .mutation(({ input }) => joinWithNewAccount(input)),

  decline: publicProcedure
    .meta({ events: [] })
    .input(invitationTokenInput)
    .output(successSchema)
    .mutation(({ input }) => successOf(declineInvitation(input.token))),
});
