/**
 * Unsaved form input in this browser: one entry for each form, bound to the account and the business it was typed in. Passwords
 * and codes are never stored here.
 */

export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The owner of drafts. */
export interface DraftScope {
  userId: string;
  identityId: string;
}

const prefix = 'frontdesk.draft.';

/** A browser may forbid the storage, which throws on access. */
function browserStore(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

/** @param name the form, with the record it is about: `customer.<id>` */
export function draftKey({ userId, identityId }: DraftScope, name: string): string {
  return `${prefix}${userId}.${identityId}.${name}`;
}

type Listener = (stored: unknown) => void;

const followers = new Map<string, Set<Listener>>();
const watchers = new Set<() => void>();
/** Accounts that have signed out here: input that their forms still hold must not be stored after that. */
const closed = new Set<string>();

const notifyWatchers = () => {
  for (const watcher of watchers) watcher();
};

function parsed(entry: string | null): unknown {
  try {
    return JSON.parse(entry ?? 'null');
  } catch {
    return null;
  }
}

/** The draft under a key, parsed by `read`; null if there is none or its format is unknown. */
export function readDraft<T>(
  key: string,
  read: (stored: unknown) => T | null,
  store: DraftStorage | null = browserStore(),
): T | null {
  try {
    return read(parsed(store?.getItem(key) ?? null));
  } catch {
    return null;
  }
}

/**
 * Stores a draft. Returns false if the storage is forbidden or full: then the draft lives only as long as the page, and the
 * previous entry stays.
 */
export function writeDraft(key: string, draft: unknown, store: DraftStorage | null = browserStore()): boolean {
  try {
    if ([...closed].some((userId) => key.startsWith(`${prefix}${userId}.`))) return false;
    store?.setItem(key, JSON.stringify(draft));
    notifyWatchers();
    return store !== null;
  } catch {
    return false;
  }
}

export function removeDraft(key: string, store: DraftStorage | null = browserStore()): void {
  try {
    store?.removeItem(key);
    notifyWatchers();
  } catch {
    // If nothing can be removed, nothing was stored.
  }
}

/** Passes a draft to the form on the page, and stores it for one that is opened later. */
export function passDraft(key: string, draft: unknown): void {
  writeDraft(key, draft);
  for (const follower of followers.get(key) ?? []) follower(draft);
}

/**
 * Notifies about a draft stored by another tab (null: removed) or passed on by this one. Returns a function that unsubscribes.
 */
export function followDraft(key: string, listener: Listener): () => void {
  const onStorage = (event: StorageEvent) => {
    // A null key means that everything was removed.
    if (event.key === key || event.key === null) listener(event.key === null ? null : parsed(event.newValue));
  };
  const own = followers.get(key) ?? new Set();
  followers.set(key, own.add(listener));
  window.addEventListener('storage', onStorage);
  return () => {
    own.delete(listener);
    if (own.size === 0) followers.delete(key);
    window.removeEventListener('storage', onStorage);
  };
}

const pauseMilliseconds = 300;

/** Stores the draft of one form or editor: a moment after typing, and with `flush` when the page is left. */
export class DraftKeeper {
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #key: () => string | null;
  readonly #draft: () => unknown;
  readonly #onKept: (isKept: boolean) => void;

  /**
   * @param key null: nothing is stored
   * @param draft the current input; null if it is not worth storing
   * @param onKept gets whether the input would survive a reload
   */
  constructor(key: () => string | null, draft: () => unknown, onKept: (isKept: boolean) => void = () => {}) {
    this.#key = key;
    this.#draft = draft;
    this.#onKept = onKept;
  }

  /** Call after typing. */
  touch = (): void => {
    this.#timer ??= setTimeout(this.keep, pauseMilliseconds);
  };

  /** Stores pending input immediately. */
  flush = (): void => {
    if (this.#timer !== undefined) this.keep();
  };

  keep = (): void => {
    this.stop();
    const key = this.#key();
    if (key === null) return;
    const draft = this.#draft();
    if (draft === null) removeDraft(key);
    this.#onKept(draft !== null && writeDraft(key, draft));
  };

  /** Removes the draft once it was saved, sent or discarded. */
  forget = (): void => {
    this.stop();
    const key = this.#key();
    if (key !== null) removeDraft(key);
    this.#onKept(false);
  };

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/** Notifies when any draft is stored or removed, here or in another tab. Returns a function that unsubscribes. */
export function watchDrafts(watcher: () => void): () => void {
  watchers.add(watcher);
  window.addEventListener('storage', watcher);
  return () => {
    watchers.delete(watcher);
    window.removeEventListener('storage', watcher);
  };
}

function keysBelow(start: string, store: Storage | null): string[] {
  try {
    return store ? Object.keys(store).filter((key) => key.startsWith(start)) : [];
  } catch {
    return [];
  }
}

/** Whether this browser can store drafts. */
export function canKeepDrafts(store: DraftStorage | null = browserStore()): boolean {
  const key = `${prefix}test`;
  const isKept = writeDraft(key, '', store);
  removeDraft(key, store);
  return isKept;
}

/** The names of the drafts in a scope that begin with `start`. */
export function draftNames(scope: DraftScope, start = '', store: Storage | null = browserStore()): string[] {
  const below = draftKey(scope, '');
  return keysBelow(`${below}${start}`, store).map((key) => key.slice(below.length));
}

/** The number of an account's drafts in this browser, for all its businesses. */
export function countDrafts(userId: string, store: Storage | null = browserStore()): number {
  return keysBelow(`${prefix}${userId}.`, store).length;
}

/** Called on sign-out: removes the account's drafts, and stores no more of them while this page is open. */
export function closeDrafts(userId: string, store: Storage | null = browserStore()): void {
  closed.add(userId);
  for (const key of keysBelow(`${prefix}${userId}.`, store)) removeDraft(key, store);
}

/** Migrates replies and posts that versions before 0.3 stored by business only. */
export function migrateOldDrafts(scope: DraftScope, store: Storage | null = browserStore()): void {
  for (const kind of ['reply', 'post']) {
    const start = `frontdesk.${kind}.${scope.identityId}.`;
    for (const key of keysBelow(start, store)) {
      const entry = store?.getItem(key);
      const name = draftKey(scope, `${kind}.${key.slice(start.length)}`);
      try {
        if (entry && store && store.getItem(name) === null) store.setItem(name, entry);
        store?.removeItem(key);
      } catch {
        // If there is no room for a copy, the old entry stays.
      }
    }
  }
}
