/** What a single key does in the inbox, in the order in which it is explained. */
export const inboxCommands = ['next', 'previous', 'reply', 'archive', 'unread', 'spam', 'search', 'close', 'help'] as const;

export type InboxCommand = (typeof inboxCommands)[number];

interface Key {
  key: string;
  /** As it stands on the keyboard, where that differs. */
  name?: string;
  meaning: string;
}

export const inboxKeys: Record<InboxCommand, Key> = {
  next: { key: 'j', meaning: 'Next conversation' },
  previous: { key: 'k', meaning: 'Previous conversation' },
  reply: { key: 'r', meaning: 'Reply' },
  archive: { key: 'e', meaning: 'Archive, or move back to the inbox' },
  unread: { key: 'u', meaning: 'Mark as unread' },
  spam: { key: '!', meaning: 'Spam, or not spam' },
  search: { key: '/', meaning: 'Search' },
  close: { key: 'Escape', name: 'Esc', meaning: 'Back to the list' },
  help: { key: '?', meaning: 'Show these keys' },
};

type PressedKey = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'repeat'>;

/** Only walking along the list makes sense while a key is held down. */
const repeatable: readonly InboxCommand[] = ['next', 'previous'];

/** The command of a key; undefined for a key that has none. Shift is part of some keys ("!"), other modifiers belong to the browser. */
export function commandOf({ key, ctrlKey, metaKey, altKey, repeat }: PressedKey): InboxCommand | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  const command = inboxCommands.find((candidate) => inboxKeys[candidate].key === key);
  return command && repeat && !repeatable.includes(command) ? undefined : command;
}
