import type { NotificationRecord } from './notification.schema';

/** The page that a notification is about. */
export function notificationPath({ kind, conversationId }: Pick<NotificationRecord, 'kind' | 'conversationId'>): string {
  if (kind === 'mailbox') return '/settings/mailboxes';
  if (kind === 'storage') return '/settings/data';
  return conversationId === null ? '/' : `/inbox/${conversationId}`;
}
