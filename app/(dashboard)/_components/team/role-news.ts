import { errorFacts } from '@/app/_kit/error-facts';
import { isAllowed } from '@/app/_kit/permission';
import type { Permission } from '@/server/platform/auth/scopes.schema';
import type { TeamRole } from '@/server/platform/auth/team-roles.schema';

/** True if a refusal shows that the pages know an outdated role, or not that a second factor is required now. */
export function isNews(error: unknown, role: TeamRole, lacksTwoFactor: boolean): boolean {
  const { code, details } = errorFacts(error);
  if (code === 'two_factor_required') return !lacksTwoFactor;
  return code === 'insufficient_role' && isAllowed(role, String(details.required) as Permission);
}
