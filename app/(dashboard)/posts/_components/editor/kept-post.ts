import { browserStore, type DraftScope, type DraftStorage, draftKey, readDraft } from '@/app/_kit/draft-store';
import { keysOf } from '@/app/_kit/keys-of';
import { isSamePost, type PostValues } from './post-values';

/** What is typed and not saved yet, on this device: one entry for each post of an identity, and one for a post that is new. */

export interface KeptPost {
  values: PostValues;
  /** The revision it was typed over; 0 for a post that the server does not have. */
  revision: number;
  /** Whether a new title makes a new address. */
  followsTitle: boolean;
}

const isText = (value: unknown) => typeof value === 'string';

/** The shape of the values that this version writes; whether they are good is for the server to say. */
const shape: Record<keyof PostValues, (value: unknown) => boolean> = {
  title: isText,
  content: isText,
  slug: isText,
  excerpt: isText,
  authorName: isText,
  authorAvatarUrl: isText,
  authorAgentId: (value) => value === null || isText(value),
  coverImageUrl: isText,
  tags: (value) => Array.isArray(value) && value.every(isText),
  metaDescription: isText,
};

function isShaped(stored: unknown, parts: readonly (keyof PostValues)[]): boolean {
  const values = (stored ?? {}) as Record<string, unknown>;
  return parts.every((part) => shape[part](values[part]));
}

function isKeptPost(stored: unknown): stored is KeptPost {
  const { values, revision, followsTitle } = (stored ?? {}) as Partial<Record<keyof KeptPost, unknown>>;
  const isRevision = Number.isSafeInteger(revision) && (revision as number) >= 0;
  return isRevision && typeof followsTitle === 'boolean' && isShaped(values, keysOf(shape));
}

/** @param postId null for a post that is new */
export function keptPostKey(scope: DraftScope, postId: string | null): string {
  return draftKey(scope, `post.${postId ?? 'new'}`);
}

/** What is kept; null where there is nothing, nothing that this version wrote, or no storage. */
export function loadKeptPost(key: string): KeptPost | null {
  return readDraft(key, (stored) => (isKeptPost(stored) ? stored : null));
}

/** Tells when another tab writes (true) or removes (false) an entry. The key changes once a new post is saved. Returns how to stop. */
export function followKeptPost(key: () => string, listener: (isThere: boolean) => void): () => void {
  const onStorage = (event: StorageEvent) => {
    // A key of null says that everything was removed.
    if (event.key === key() || event.key === null) listener(event.key !== null && event.newValue !== null);
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}

/**
 * What a kept state means for a post that is opened: nothing where the server has it already, else that it is brought back, and
 * whether the post was changed meanwhile.
 *
 * @param current the post as the server has it, and its revision; 0 for a new one
 */
export function resumeKept(
  kept: KeptPost | null,
  current: { values: PostValues; revision: number },
): { kept: KeptPost; isOutdated: boolean } | null {
  if (!kept || isSamePost(kept.values, current.values)) return null;
  return { kept, isOutdated: kept.revision !== current.revision };
}

type Author = Pick<PostValues, 'authorName' | 'authorAvatarUrl' | 'authorAgentId'>;

function isAuthor(stored: unknown): stored is Author {
  return isShaped(stored, ['authorName', 'authorAvatarUrl', 'authorAgentId']) && (stored as Author).authorName !== '';
}

function authorKey(identityId: string): string {
  return `frontdesk.post-author.${identityId}`;
}

/** Who wrote the last post on this device; null where that is not known. */
export function lastAuthor(identityId: string, store: DraftStorage | null = browserStore()): Author | null {
  try {
    const entry = store?.getItem(authorKey(identityId)) ?? null;
    const stored: unknown = JSON.parse(entry ?? 'null');
    return isAuthor(stored) ? stored : null;
  } catch {
    return null;
  }
}

export function rememberAuthor(identityId: string, author: Author, store: DraftStorage | null = browserStore()): void {
  try {
    const { authorName, authorAvatarUrl, authorAgentId } = author;
    store?.setItem(authorKey(identityId), JSON.stringify({ authorName, authorAvatarUrl, authorAgentId }));
  } catch {
    // Then the next post begins with the name of the business.
  }
}
