import type { MailPlan } from './event-patch';
import { counted } from './event-words';

/** What saving does, for its button. What those invited before are told is asked for later. */
export function saveLabel({ plan, isNew }: { plan: MailPlan; isNew: boolean }): string {
  if (plan.added === 0) return 'Save';
  const invitations = counted(plan.added, 'invitation');
  return isNew ? `Send ${invitations}` : `Save and send ${invitations}`;
}
