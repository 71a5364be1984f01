import { feature } from '@/server/platform/feature';
import { oidcRoute } from '../accounts/oidc-endpoint';
import { joinTeamByHandle } from './auto-join.service';
import { consumeInvitation, removeOldInvitations } from './invitation.service';
import { invitationsRouter, membersRouter } from './team.router';

export const team = feature({
  name: 'team',
  routers: { members: membersRouter, invitations: invitationsRouter },
  // Single sign-on may make an account a member.
  httpRoutes: [oidcRoute({ join: joinTeamByHandle, acceptInvitation: consumeInvitation })],
  removals: [removeOldInvitations],
  tables: [{ names: ['memberships'], sharedWith: ['platform/auth', 'features/accounts'] }, { names: ['invitations'] }],
});
