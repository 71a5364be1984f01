import type { BlogPostRecord } from '@/server/features/blog/blog-post.schema';
import type { FieldErrors } from '@/server/platform/errors';
import { type KeptPost, resumeKept } from './kept-post';
import { emptyPost, type PostValues, valuesOf } from './post-values';

/** Why the last save failed as a whole, while it has not succeeded since. */
export interface SaveFailure {
  message: string;
  requestId: string | undefined;
  /** True where the server was not reached, and is tried again by itself. */
  isUnreachable: boolean;
}

/** An editor's state at one moment; never changed, only replaced. */
export interface PostView {
  /** The post as the server has it, as far as is known here; null before it is created. */
  post: BlogPostRecord | null;
  /** As they stand in the editor. */
  values: PostValues;
  /** Rises when `values` were replaced by something else than typing. */
  generation: number;
  followsTitle: boolean;
  isDirty: boolean;
  isSaving: boolean;
  /** Whether what is not saved would survive a reload. */
  isKept: boolean;
  /** When something was last saved here, in milliseconds since 1970; null before that. */
  savedAt: number | null;
  /** True where the editor began with what was kept in this browser. */
  isRestored: boolean;
  /** Reasons by field path, for what could not be saved as it is. */
  fieldErrors: FieldErrors;
  failure: SaveFailure | null;
  /** The other version, where both changed. */
  conflict: BlogPostRecord | null;
  /** True where the post was deleted elsewhere. */
  isGone: boolean;
}

/** Whether changes are saved by themselves: nothing that is typed reaches readers before somebody says so. */
export function isAutosaved(view: Pick<PostView, 'post'>): boolean {
  return view.post?.status !== 'published';
}

/** How an editor begins: with what the server has. */
export function firstView(post: BlogPostRecord | null, values: PostValues, followsTitle: boolean): PostView {
  return {
    post,
    values,
    generation: 0,
    followsTitle,
    isDirty: false,
    isSaving: false,
    isKept: false,
    savedAt: null,
    isRestored: false,
    fieldErrors: {},
    failure: null,
    conflict: null,
    isGone: false,
  };
}

/** What an editor says where nothing is typed. @param initial what a new post begins with */
export function savedValues(post: BlogPostRecord | null, initial: Partial<PostValues> = {}): PostValues {
  return post ? valuesOf(post) : { ...emptyPost, ...initial };
}

/** What changes where an editor begins with what was kept; null where the server has that already. */
export function restoredView(kept: KeptPost | null, { post, values }: PostView): Partial<PostView> | null {
  const resumed = resumeKept(kept, { values, revision: post?.revision ?? 0 });
  if (!resumed) return null;
  return {
    values: resumed.kept.values,
    followsTitle: resumed.kept.followsTitle,
    isRestored: true,
    isKept: true,
    conflict: resumed.isOutdated ? post : null,
  };
}
