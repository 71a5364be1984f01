import type { DraftScope } from '@/app/_kit/draft-store';
import type { BlogPostRecord } from '@/server/features/blog/blog-post.schema';
import type { FieldErrors } from '@/server/platform/errors';
import type { PostDraft } from './post-draft';
import { emptyPost, isSamePost, type NewPost, type PostValues, valuesOf } from './post-values';

/** Why the last save failed as a whole; cleared by the next success. */
export interface SaveFailure {
  message: string;
  requestId: string | undefined;
  /** True if the server was not reached, and the save is retried automatically. */
  isUnreachable: boolean;
}

/** An editor's state at one moment; immutable. */
export interface PostView {
  /** The last known post of the server; null before it is created. */
  post: BlogPostRecord | null;
  /** The editor's values. */
  values: PostValues;
  /** Increases when `values` are replaced other than by typing. */
  generation: number;
  followsTitle: boolean;
  isDirty: boolean;
  isSaving: boolean;
  /** Whether unsaved changes would survive a reload. */
  isKept: boolean;
  /** True if the editor started from the draft in this browser. */
  isRestored: boolean;
  /** Errors by field path, for what could not be saved. */
  fieldErrors: FieldErrors;
  failure: SaveFailure | null;
  /** The other version, if both changed. */
  conflict: BlogPostRecord | null;
  /** True if the post was deleted elsewhere. */
  isGone: boolean;
}

/** The options of a session; see post-session.ts. */
export interface SessionOptions {
  /** The account and business whose drafts are used. */
  scope: DraftScope;
  /** Null for a new one. */
  post: BlogPostRecord | null;
  /** Initial values of a new post, such as its author. */
  initial?: Partial<PostValues>;
  /** Whether the post's address was generated from its title, as far as known. */
  followsTitle: boolean;
  /** The calls an editor needs; each rejects with what tRPC throws. */
  api: {
    create: (post: NewPost) => Promise<BlogPostRecord>;
    /** Fails with `precondition_failed` if the post has another revision. */
    update: (postId: string, changes: Partial<PostValues>, revision: number) => Promise<BlogPostRecord>;
    get: (postId: string) => Promise<BlogPostRecord>;
  };
  /** Called with every version of the post that the server returns. */
  onStored: (post: BlogPostRecord) => void;
}

/** Whether changes are saved automatically: nothing typed reaches readers before it is published explicitly. */
export function isAutosaved(view: Pick<PostView, 'post'>): boolean {
  return view.post?.status !== 'published';
}

/** The values of an editor without changes. @param initial initial values of a new post */
export function savedValues(post: BlogPostRecord | null, initial: Partial<PostValues> = {}): PostValues {
  return post ? valuesOf(post) : { ...emptyPost, ...initial };
}

/** The initial state of an editor: the server's version, or a draft that differs from it. */
export function firstView(
  { post, initial, followsTitle }: Pick<SessionOptions, 'post' | 'initial' | 'followsTitle'>,
  draft: PostDraft | null = null,
): PostView {
  const values = savedValues(post, initial);
  const restored = draft && !isSamePost(draft.values, values) ? draft : null;
  return {
    post,
    values: restored?.values ?? values,
    generation: 0,
    followsTitle: restored?.followsTitle ?? followsTitle,
    isDirty: restored !== null,
    isSaving: false,
    isKept: restored !== null,
    isRestored: restored !== null,
    fieldErrors: {},
    failure: null,
    // The post was changed since the draft was based on it.
    conflict: restored && restored.revision !== (post?.revision ?? 0) ? post : null,
    isGone: false,
  };
}
