import { isAllowed } from '@/app/_kit/permission';
import type { Team, TeamMember } from '@/server/features/team/team.schema';
import { type TeamRole, teamRoles } from '@/server/platform/auth/team-roles.schema';

/** What the page about a team offers; the server decides (member.service.ts). */

/** The member's name, or their email address without one. */
export function memberName({ displayName, email }: Pick<TeamMember, 'displayName' | 'email'>): string {
  return displayName.trim() || email;
}

/** The roles that a member with this role can assign. */
export function rolesToGive(own: TeamRole): TeamRole[] {
  if (own === 'owner') return [...teamRoles];
  return isAllowed(own, 'members:write') ? teamRoles.filter((role) => role !== 'owner') : [];
}

/** True if a member with this role manages members and invitations with that one; admins manage all but owners. */
export function canManage(own: TeamRole, other: TeamRole): boolean {
  return rolesToGive(own).includes(other);
}

/** True for the only owner, who can neither leave nor get another role. */
export function isLastOwner({ members }: Pick<Team, 'members'>, { role }: Pick<TeamMember, 'role'>): boolean {
  return role === 'owner' && members.filter((member) => member.role === 'owner').length === 1;
}

/** Whether the role of this member can be changed by the signed-in one. One's own can only be given up, by an owner. */
export function canChangeRole(team: Pick<Team, 'members'>, own: TeamRole, member: TeamMember): boolean {
  if (!canManage(own, member.role) || isLastOwner(team, member)) return false;
  return !member.isSelf || own === 'owner';
}
