import { type ComposerValues, composerValuesSchema } from './composer-values';

/** Replies that are not sent yet, on this device: one for each conversation of an identity. */

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** A browser may forbid the storage, which shows as an error when it is reached for. */
function browserStore(): Store | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

export function draftKey(identityId: string, conversationId: string): string {
  return `frontdesk.reply.${identityId}.${conversationId}`;
}

/** What an entry of the storage holds; null for anything that this version did not write. */
function parseDraft(entry: string | null): ComposerValues | null {
  if (entry === null) return null;
  try {
    return composerValuesSchema.safeParse(JSON.parse(entry)).data ?? null;
  } catch {
    return null;
  }
}

/** The draft under a key; null where there is none or the storage can't be read. */
export function loadDraft(key: string, store = browserStore()): ComposerValues | null {
  try {
    return parseDraft(store?.getItem(key) ?? null);
  } catch {
    return null;
  }
}

/** Keeps a draft. False where the storage is forbidden or full: then it lives only as long as the page. */
export function saveDraft(key: string, values: ComposerValues, store = browserStore()): boolean {
  try {
    store?.setItem(key, JSON.stringify(values));
    return store !== null;
  } catch {
    return false;
  }
}

export function removeDraft(key: string, store = browserStore()): void {
  try {
    store?.removeItem(key);
  } catch {
    // Where nothing can be removed, nothing was kept.
  }
}

type Listener = (values: ComposerValues | null) => void;

const listeners = new Map<string, Set<Listener>>();

/** Hands a draft back to the page that still shows its conversation, and keeps it for one that is opened later. */
export function restoreDraft(key: string, values: ComposerValues): void {
  saveDraft(key, values);
  for (const listener of listeners.get(key) ?? []) listener(values);
}

/** Tells of drafts that another tab keeps or removes, and of those that are restored here. Returns how to stop. */
export function followDraft(key: string, listener: Listener): () => void {
  const onStorage = (event: StorageEvent) => {
    // A key of null says that everything was removed.
    if (event.key === key || event.key === null) listener(parseDraft(event.key === null ? null : event.newValue));
  };
  const own = listeners.get(key) ?? new Set();
  listeners.set(key, own.add(listener));
  window.addEventListener('storage', onStorage);
  return () => {
    own.delete(listener);
    if (own.size === 0) listeners.delete(key);
    window.removeEventListener('storage', onStorage);
  };
}
