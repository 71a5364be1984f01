import type { DraftScope } from '@/app/_kit/draft-store';
import type { BlogPostRecord } from '@/server/features/blog/blog-post.schema';
import type { FieldErrors } from '@/server/platform/errors';
import type { PostDraft } from './post-draft';
import { emptyPost, isSamePost, type NewPost, type PostValues, valuesOf } from './post-values';

/** Why the last save failed as a whole, while it has not succeeded since. */
export interface SaveFailure {
  message: string;
  requestId: string | undefined;
  /** True where the server was not reached, and is tried again automatically. */
  isUnreachable: boolean;
}

/** An editor's state at one moment; never changed, only replaced. */
export interface PostView {
  /** The post as the server has it, as far as is known here; null before it is created. */
  post: BlogPostRecord | null;
  /** As they are in the editor. */
  values: PostValues;
  /** Rises when `values` were replaced by something else than typing. */
  generation: number;
  followsTitle: boolean;
  isDirty: boolean;
  isSaving: boolean;
  /** Whether what is not saved would survive a reload. */
  isKept: boolean;
  /** True where the editor began with the draft in this browser. */
  isRestored: boolean;
  /** Reasons by field path, for what could not be saved as it is. */
  fieldErrors: FieldErrors;
  failure: SaveFailure | null;
  /** The other version, where both changed. */
  conflict: BlogPostRecord | null;
  /** True where the post was deleted elsewhere. */
  isGone: boolean;
}

/** What a session is made of; see post-session.ts. */
export interface SessionOptions {
  /** Whose drafts what is typed is kept among. */
  scope: DraftScope;
  /** Null for a new one. */
  post: BlogPostRecord | null;
  /** What a new post begins with, such as its author. */
  initial?: Partial<PostValues>;
  /** Whether a post's address was made from its title, as far as can be told. */
  followsTitle: boolean;
  /** The calls an editor needs; each rejects with what tRPC throws. */
  api: {
    create: (post: NewPost) => Promise<BlogPostRecord>;
    /** Fails with `precondition_failed` where the post is at another revision. */
    update: (postId: string, changes: Partial<PostValues>, revision: number) => Promise<BlogPostRecord>;
    get: (postId: string) => Promise<BlogPostRecord>;
  };
  /** Called with every state of the post that the server answered. */
  onStored: (post: BlogPostRecord) => void;
}

/** Whether changes are saved automatically: nothing that is typed reaches readers before a person publishes it. */
export function isAutosaved(view: Pick<PostView, 'post'>): boolean {
  return view.post?.status !== 'published';
}

/** What an editor says where nothing is typed. @param initial what a new post begins with */
export function savedValues(post: BlogPostRecord | null, initial: Partial<PostValues> = {}): PostValues {
  return post ? valuesOf(post) : { ...emptyPost, ...initial };
}

/** How an editor begins: with what the server has, or with a draft of something else than that. */
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
    // The post was changed since the draft was typed over it.
    conflict: restored && restored.revision !== (post?.revision ?? 0) ? post : null,
    isGone: false,
  };
}
