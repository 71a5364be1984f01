import type { PageKeys } from '@/app/_kit/page-keys';

export type InboxCommand =
  | 'next'
  | 'previous'
  | 'select'
  | 'reply'
  | 'forward'
  | 'note'
  | 'assign'
  | 'archive'
  | 'snooze'
  | 'label'
  | 'unread'
  | 'spam'
  | 'trash'
  | 'close';

/**
 * The inbox's shortcuts, in the order in which they are listed. Only moving along the list repeats while a key is held down.
 */
export const inboxKeys: PageKeys<InboxCommand> = {
  next: { keys: ['j'], meaning: 'Next conversation', repeats: true },
  previous: { keys: ['k'], meaning: 'Previous conversation', repeats: true },
  select: { keys: ['x'], meaning: 'Select the open conversation' },
  reply: { keys: ['r'], meaning: 'Reply' },
  forward: { keys: ['f'], meaning: 'Forward the last message' },
  note: { keys: ['i'], meaning: 'Add internal note' },
  assign: { keys: ['a'], meaning: 'Assign' },
  archive: { keys: ['e'], meaning: 'Archive or move to inbox' },
  snooze: { keys: ['b'], meaning: 'Snooze' },
  label: { keys: ['l'], meaning: 'Label' },
  unread: { keys: ['u'], meaning: 'Mark as unread' },
  spam: { keys: ['!'], meaning: 'Mark as spam or not spam' },
  trash: { keys: ['#'], meaning: 'Move to trash or restore' },
  close: { keys: ['Escape'], meaning: 'Back to list, or end the selection' },
};

/** Those for the open conversation. */
export const threadCommands: readonly InboxCommand[] = [
  'reply',
  'forward',
  'note',
  'assign',
  'archive',
  'snooze',
  'label',
  'unread',
  'spam',
  'trash',
];
