import { hasScope, type Permission } from '@/server/platform/auth/scopes.schema';
import { scopesOfRole, type TeamRole, teamRoles } from '@/server/platform/auth/team-roles.schema';

/** What the role of the signed-in member allows, and how pages say who else can. */

const plurals: Record<TeamRole, string> = { owner: 'owners', admin: 'admins', member: 'members', viewer: 'viewers' };

export function isAllowed(role: TeamRole, needs: Permission): boolean {
  return hasScope(scopesOfRole(role), needs);
}

/** "owners and admins". */
function rolesWith(needs: Permission): string {
  const names = teamRoles.filter((role) => isAllowed(role, needs)).map((role) => plurals[role]);
  const last = names.pop() ?? '';
  return names.length === 0 ? last : `${names.join(', ')} and ${last}`;
}

/** "Only owners and admins can do this." */
export function whoCan(needs: Permission, what = 'do this'): string {
  return `Only ${rolesWith(needs)} can ${what}.`;
}
