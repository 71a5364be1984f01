import { writeSetting } from '@/app/_kit/device-setting';
import { type DraftScope, draftKey, readDraft } from '@/app/_kit/draft-store';
import { keysOf } from '@/app/_kit/keys-of';
import type { PostValues } from './post-values';

/** Unsaved changes in this browser: one draft for each post of a business, and one for a new post. */

export interface PostDraft {
  values: PostValues;
  /** The revision it is based on; 0 for a post that the server does not have. */
  revision: number;
  /** Whether a new title changes the address. */
  followsTitle: boolean;
}

const isText = (value: unknown) => typeof value === 'string';

/** The shape of the values that this version writes; the server validates them. */
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

function isPostDraft(stored: unknown): stored is PostDraft {
  const { values, revision, followsTitle } = (stored ?? {}) as Partial<Record<keyof PostDraft, unknown>>;
  const isRevision = Number.isSafeInteger(revision) && (revision as number) >= 0;
  return isRevision && typeof followsTitle === 'boolean' && isShaped(values, keysOf(shape));
}

/** @param postId null for a new post */
export function postDraftKey(scope: DraftScope, postId: string | null): string {
  return draftKey(scope, `post.${postId ?? 'new'}`);
}

/** The draft under a key; null if there is none, its format is unknown, or there is no storage. */
export function loadPostDraft(key: string): PostDraft | null {
  return readDraft(key, (stored) => (isPostDraft(stored) ? stored : null));
}

type Author = Pick<PostValues, 'authorName' | 'authorAvatarUrl' | 'authorAgentId'>;

const authorFields = ['authorName', 'authorAvatarUrl', 'authorAgentId'] as const;

const authorKey = (identityId: string) => `frontdesk.post-author.${identityId}`;

/** The author of the last post in this browser; null if unknown. */
export function lastAuthor(identityId: string): Author | null {
  const isAuthor = (stored: unknown) => isShaped(stored, authorFields) && (stored as Author).authorName !== '';
  return readDraft(authorKey(identityId), (stored) => (isAuthor(stored) ? (stored as Author) : null));
}

export function rememberAuthor(identityId: string, author: Author): void {
  const { authorName, authorAvatarUrl, authorAgentId } = author;
  writeSetting(authorKey(identityId), JSON.stringify({ authorName, authorAvatarUrl, authorAgentId }));
}
