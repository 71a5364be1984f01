import type { StatusTone } from '@/app/_kit/status-badge';
import type { BlogOverview, BlogPostItem, BlogPostStatus } from '@/server/features/blog/blog-post.schema';
import { type PostMove, undoCallsOf } from './post-moves';

/** Labels of a post's states. */
export const statusLabels: Record<BlogPostStatus, { label: string; tone: StatusTone }> = {
  draft: { label: 'Draft', tone: 'info' },
  published: { label: 'Published', tone: 'success' },
  archived: { label: 'Archived', tone: 'neutral' },
};

/** The status filters with their counts; null while those are unknown. */
export function statusChoices(counts: BlogOverview['counts'] | undefined) {
  return [
    { value: null, label: 'All', count: counts ? counts.draft + counts.published + counts.archived : null },
    { value: 'draft' as const, label: 'Drafts', count: counts?.draft ?? null },
    { value: 'published' as const, label: 'Published', count: counts?.published ?? null },
    { value: 'archived' as const, label: 'Archived', count: counts?.archived ?? null },
  ];
}

/** The relevant date: of publication for public posts, else of the last edit. */
export function dateOf({ status, publishedAt, editedAt }: Pick<BlogPostItem, 'status' | 'publishedAt' | 'editedAt'>) {
  return status === 'published' && publishedAt !== null
    ? { word: 'Published', at: publishedAt }
    : { word: 'Edited', at: editedAt };
}

const ownPicture = /^(?:https?:\/\/[^/?#]+)?(\/blog\/[a-z0-9-]+\/media\/[0-9a-f-]{36})\.webp$/;

/**
 * URLs of a small version of a picture, the best first. For our own there is a narrow file, unless the picture was narrow to
 * begin with; those are requested by path, whatever address the dashboard is reached by. Pictures on plain http are not shown:
 * pages of the dashboard load nothing unencrypted from elsewhere.
 */
export function pictureSources(url: string): string[] {
  const path = ownPicture.exec(url)?.[1];
  return [...(path ? [`${path}-480.webp`, `${path}.webp`] : []), ...(url.startsWith('https://') ? [url] : [])];
}

/** The menu label of a status change; an ellipsis means that it asks first. */
export function moveLabel(post: Pick<BlogPostItem, 'status' | 'publishedAt'>, move: PostMove): string {
  const asks = undoCallsOf(post, move) === null ? '…' : '';
  if (move === 'archive') return `Archive${asks}`;
  if (move === 'publish')
    return `${post.status === 'archived' && post.publishedAt !== null ? 'Publish again' : 'Publish'}${asks}`;
  return `${post.status === 'published' ? 'Unpublish' : 'Move to drafts'}${asks}`;
}

/** The question before a post with a date becomes a draft. */
export function unpublishQuestion({ title, status }: Pick<BlogPostItem, 'title' | 'status'>) {
  const forgets = 'Moves to drafts. Publishing again gives it a new date.';
  return status === 'published'
    ? {
        title: `Unpublish “${title}”?`,
        consequence: `Readers can no longer open it, and links to it show “Page not found”. ${forgets}`,
        confirm: 'Unpublish post',
      }
    : { title: `Move “${title}” to drafts?`, consequence: forgets, confirm: 'Move to drafts' };
}

/** Shown if no post has the chosen status. */
export const noneOfStatus: Record<BlogPostStatus, { title: string; description: string }> = {
  draft: { title: 'No drafts', description: 'Only you can see drafts.' },
  published: {
    title: 'No published posts',
    description: 'Publish a draft to show it on your blog.',
  },
  archived: { title: 'No archived posts', description: 'Archived posts are off the blog but kept here.' },
};

/** The approximate limit of a description in search results, in characters. */
export const descriptionLength = 155;
