import type { TeamRole } from '@/server/platform/auth/team-roles.schema';

/** What each role is called, in a sentence and alone, and what it may do. */
export const roleLabels: Record<TeamRole, { label: string; inSentence: string; meaning: string }> = {
  owner: { label: 'Owner', inSentence: 'an owner', meaning: 'Everything, including deleting the business.' },
  admin: { label: 'Admin', inSentence: 'an admin', meaning: 'Everything except owners and deleting the business.' },
  member: {
    label: 'Member',
    inSentence: 'a member',
    meaning: 'Works with customers, email, calendar and tasks; drafts posts.',
  },
  viewer: { label: 'Viewer', inSentence: 'a viewer', meaning: 'Reads what members read.' },
};
