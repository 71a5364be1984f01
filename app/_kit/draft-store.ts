/**
 * What is typed and not saved yet, in this browser: an entry for each form, bound to the account and the business it was typed in.
 * Passwords and codes are never put here.
 */

export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Whose drafts. */
export interface DraftScope {
  userId: string;
  identityId: string;
}

const prefix = 'frontdesk.draft.';

/** A browser may forbid the storage, which shows as an error when it is reached for. */
export function browserStore(): Storage | null {
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
/** Accounts that have signed out here: what their forms still hold must not be kept after that. */
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

/** The draft under a key as `read` understands it; null where there is none, or none that this version wrote. */
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

/** Keeps a draft. False where the storage is forbidden or full: then it lives only as long as the page, and what was kept before stays. */
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
    // Where nothing can be removed, nothing was kept.
  }
}

/** Hands a draft to the form that is on the page, and keeps it for one that is opened later. */
export function handDraft(key: string, draft: unknown): void {
  writeDraft(key, draft);
  for (const follower of followers.get(key) ?? []) follower(draft);
}

/** Tells what another tab keeps under a key (null: removed), and what is handed over here. Returns how to stop. */
export function followDraft(key: string, listener: Listener): () => void {
  const onStorage = (event: StorageEvent) => {
    // A key of null says that everything was removed.
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

/** Keeps the draft of one form or editor: a moment after something was typed, and with `flush` when the page is left. */
export class DraftKeeper {
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #key: () => string | null;
  readonly #draft: () => unknown;
  readonly #onKept: (isKept: boolean) => void;

  /**
   * @param key null: nothing is kept
   * @param draft what is typed now; null where that is not worth keeping
   * @param onKept told whether what is typed would survive a reload
   */
  constructor(key: () => string | null, draft: () => unknown, onKept: (isKept: boolean) => void = () => {}) {
    this.#key = key;
    this.#draft = draft;
    this.#onKept = onKept;
  }

  /** Something was typed. */
  touch = (): void => {
    this.#timer ??= setTimeout(this.keep, pauseMilliseconds);
  };

  /** Keeps what was typed in the last moment. */
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

  /** For what was saved, sent or discarded. */
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

/** Tells that any draft was kept or removed, here or in another tab. Returns how to stop. */
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

/** Whether this browser keeps anything at all. */
export function canKeepDrafts(store: DraftStorage | null = browserStore()): boolean {
  const key = `${prefix}test`;
  const isKept = writeDraft(key, '', store);
  removeDraft(key, store);
  return isKept;
}

/** The names of what is kept in a scope, those that begin with `start`. */
export function draftNames(scope: DraftScope, start = '', store: Storage | null = browserStore()): string[] {
  const below = draftKey(scope, '');
  return keysBelow(`${below}${start}`, store).map((key) => key.slice(below.length));
}

/** How many drafts of an account are kept here, of all its businesses. */
export function countDrafts(userId: string, store: Storage | null = browserStore()): number {
  return keysBelow(`${prefix}${userId}.`, store).length;
}

/** Someone signs out here: removes what this account has typed, and keeps nothing more of it while this page lasts. */
export function closeDrafts(userId: string, store: Storage | null = browserStore()): void {
  closed.add(userId);
  for (const key of keysBelow(`${prefix}${userId}.`, store)) removeDraft(key, store);
}

/** Takes over the replies and posts that versions before 0.3 kept by business alone. */
export function adoptOldDrafts(scope: DraftScope, store: Storage | null = browserStore()): void {
  for (const kind of ['reply', 'post']) {
    const start = `frontdesk.${kind}.${scope.identityId}.`;
    for (const key of keysBelow(start, store)) {
      const entry = store?.getItem(key);
      const name = draftKey(scope, `${kind}.${key.slice(start.length)}`);
      try {
        if (entry && store && store.getItem(name) === null) store.setItem(name, entry);
        store?.removeItem(key);
      } catch {
        // No room for a copy: the old entry stays as it is.
      }
    }
  }
}
