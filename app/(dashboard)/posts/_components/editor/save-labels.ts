import { fieldMessage } from '@/app/_kit/field-message';
import type { FieldErrors } from '@/server/platform/errors';
import { fieldOfPath, type PostField } from './post-values';
import { isAutosaved, type PostView } from './post-view';

export const fieldLabels: Record<PostField, string> = {
  title: 'Title',
  content: 'Text',
  slug: 'URL',
  excerpt: 'Excerpt',
  authorName: 'Author',
  authorAvatarUrl: 'Author photo',
  authorAgentId: 'Agent',
  coverImageUrl: 'Cover image URL',
  tags: 'Tags',
  metaDescription: 'SEO description',
};

/** The first error of a field, as a sentence. */
export function reasonOf(errors: FieldErrors, field: PostField): string | undefined {
  const reason = Object.entries(errors).find(([path]) => fieldOfPath(path) === field)?.[1];
  return fieldMessage(fieldLabels[field], reason);
}

interface SaveLabel {
  text: string;
  /** `trouble` is announced. */
  tone: 'quiet' | 'busy' | 'trouble';
}

interface SaveContext {
  isOnline: boolean;
  /** Formats a moment for the viewer: "12:03", or a date. */
  time: (moment: Date) => string;
}

function kept({ isKept }: PostView): string {
  return isKept ? 'Saved in this browser only.' : 'This browser can’t store drafts, so keep this page open.';
}

/** Why changes are not saved, if they will not be saved automatically in a moment. */
function problemOf(view: PostView, isOnline: boolean): string | null {
  if (view.isGone) return `This post was deleted elsewhere. ${kept(view)}`;
  if (view.conflict) return `Not saved: this post was changed elsewhere. ${kept(view)}`;
  if (view.isSaving) return null;
  if (view.isDirty && view.failure?.isUnreachable) {
    return `Not saved: ${isOnline ? 'the server can’t be reached' : 'you are offline'}. ${kept(view)}`;
  }
  if (view.isDirty && view.failure) return `Not saved. ${kept(view)}`;
  const [path] = Object.keys(view.fieldErrors);
  const field = path === undefined ? undefined : fieldOfPath(path);
  return field ? `Not saved: ${reasonOf(view.fieldErrors, field)}` : null;
}

/** Describes whether the editor's values are saved. */
export function describeSave(view: PostView, { isOnline, time }: SaveContext): SaveLabel {
  const problem = problemOf(view, isOnline);
  if (problem) return { text: problem, tone: 'trouble' };
  if (view.isSaving) return { text: 'Saving…', tone: 'busy' };
  const { post, isDirty, values } = view;
  if (!isDirty && post?.status === 'published') return { text: `Published ${time(new Date(post.updatedAt))}`, tone: 'quiet' };
  if (!isDirty) return { text: post ? 'Saved' : 'Empty draft', tone: 'quiet' };
  if (!isAutosaved(view)) return { text: 'Unsaved changes. Click Update to publish them.', tone: 'busy' };
  if (!post && (values.title.trim() === '' || values.content.trim() === '')) {
    return {
      text: view.isKept ? 'Saved in this browser only. Add a title and text to save' : 'Add a title and text to save',
      tone: 'quiet',
    };
  }
  return { text: 'Unsaved changes', tone: 'quiet' };
}
