import { roleLabels } from '@/app/_kit/role-labels';
import type { OpenInvitation } from '@/server/features/team/team.schema';
import type { LinkInUse } from '../../_components/mailed-link';

/** The signed-in account; null if there is none. */
export type SignedIn = { id: string; email: string } | null;

/** What a card about an invitation gets. */
export type InvitationInUse = LinkInUse<OpenInvitation>;

/** "Ann Quark invited you to join Quark Labs as a member." */
export function invitationLead({ invitedBy, business, role }: OpenInvitation): string {
  return `${invitedBy ?? 'Your administrator'} invited you to join ${business} as ${roleLabels[role].inSentence}.`;
}
