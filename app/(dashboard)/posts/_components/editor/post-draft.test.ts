import { expect, it, vi } from 'vitest';
import { writeDraft } from '@/app/_kit/draft-store';
import { forbiddenStorage, withBrowserStorage } from '@/app/_kit/testing/memory-storage';
import type { BlogPostRecord } from '@/server/features/blog/blog-post.schema';
import { lastAuthor, loadPostDraft, postDraftKey, rememberAuthor } from './post-draft';
import { emptyPost } from './post-values';
import { firstView } from './post-view';

const kept = { values: { ...emptyPost, title: 'Wet brakes' }, revision: 3, followsTitle: true };

const scope = { userId: 'u', identityId: 'a' };

withBrowserStorage();

it('keeps a post for itself, and a new one apart from all others', () => {
  writeDraft(postDraftKey(scope, '1'), kept);
  expect(loadPostDraft(postDraftKey(scope, '1'))).toEqual(kept);
  for (const postId of ['2', null]) expect(loadPostDraft(postDraftKey(scope, postId))).toBeNull();
});

it('reads nothing out of what it did not write', () => {
  for (const entry of ['', '{', 'null', '[]', JSON.stringify({ ...kept, values: { title: 'T' } })]) {
    window.localStorage.setItem('key', entry);
    expect(loadPostDraft('key')).toBeNull();
  }
});

it('is restored only where the server does not have it, and asks which one counts where that was changed meanwhile', () => {
  const post = { ...emptyPost, revision: 3 } as BlogPostRecord;
  const begin = (stored: BlogPostRecord, draft: typeof kept | null) =>
    firstView({ post: stored, initial: {}, followsTitle: false }, draft);
  expect(begin(post, null)).toMatchObject({ isRestored: false, values: emptyPost });
  expect(begin({ ...post, title: 'Wet brakes', revision: 4 }, kept)).toMatchObject({ isRestored: false, isDirty: false });
  expect(begin(post, kept)).toMatchObject({ isRestored: true, isKept: true, followsTitle: true, conflict: null });
  expect(begin({ ...post, revision: 4 }, kept)).toMatchObject({ isRestored: true, conflict: { revision: 4 } });
});

it('remembers who wrote the last post of a business, where anything can be kept', () => {
  rememberAuthor('a', { authorName: 'Mara', authorAvatarUrl: '', authorAgentId: null });
  expect(lastAuthor('a')?.authorName).toBe('Mara');
  expect(lastAuthor('b')).toBeNull();
  vi.stubGlobal('window', { localStorage: forbiddenStorage });
  expect(() => rememberAuthor('a', kept.values)).not.toThrow();
  expect(lastAuthor('a')).toBeNull();
});
