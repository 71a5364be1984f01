import type { MailChoice, NotificationKind } from '@/server/features/notifications/notification.schema';

/** Each kind and when it happens, in the order of the page. */
export const kindLabels: Readonly<Record<NotificationKind, { label: string; description: string }>> = {
  assigned: { label: 'Assigned to me', description: 'A conversation is assigned to you.' },
  mentioned: { label: 'Mentions', description: 'You are mentioned in an internal note.' },
  escalation: { label: 'An agent needs me', description: 'An agent asks for you or your role.' },
  failed_email: {
    label: 'Failed emails',
    description: 'An email you sent can’t be delivered. Owners and admins also get those that agents sent.',
  },
  snooze_ended: {
    label: 'Snoozed conversations',
    description: 'One you snoozed, or that is assigned to you, is in the inbox again.',
  },
  mailbox: { label: 'Mailboxes', description: 'A connected mailbox can’t be read. For owners and admins.' },
  storage: { label: 'Storage', description: '80% of the storage is used, or all. For owners and admins.' },
};

export const mailLabels: Readonly<Record<MailChoice, string>> = { off: 'Off', immediately: 'Instant', daily: 'Daily' };
