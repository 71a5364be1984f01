import { expect, it } from 'vitest';
import type { BlogPostRecord } from '@/server/features/blog/blog-post.schema';
import { emptyPost } from './post-values';
import { firstView, type PostView } from './post-view';
import { describeSave } from './save-labels';

const post = { ...emptyPost, title: 'T', content: 'C', status: 'draft', updatedAt: '2026-11-21T12:03:00.000Z' } as BlogPostRecord;

function words(changes: Partial<PostView>, isOnline = true): string {
  const view = { ...firstView({ post, initial: {}, followsTitle: false }), ...changes };
  return describeSave(view, { isOnline, time: (moment) => moment.toISOString().slice(11, 16) }).text;
}

it('says where what is typed is', () => {
  expect(words({})).toBe('Saved');
  expect(words({ isDirty: true, isSaving: true })).toBe('Saving…');
  expect(words({ post: null, values: emptyPost })).toBe('Empty draft');
  expect(words({ post: null, values: { ...emptyPost, title: 'T' }, isDirty: true, isKept: true })).toMatch(
    /^Saved in this browser only/,
  );
});

it('says of a published post what readers see', () => {
  const published = { ...post, status: 'published' as const };
  expect(words({ post: published })).toBe('Published 12:03');
  expect(words({ post: published, isDirty: true })).toBe('Unsaved changes. Click Update to publish them.');
});

it('says why something is not saved, and whether it is safe', () => {
  const unreachable = { message: '', requestId: undefined, isUnreachable: true };
  expect(words({ isDirty: true, isKept: true, failure: unreachable }, false)).toBe(
    'Not saved: you are offline. Saved in this browser only.',
  );
  expect(words({ isDirty: true, isKept: true, failure: unreachable })).toMatch(/^Not saved: the server can’t be reached/);
  expect(words({ isDirty: true, isKept: false, failure: unreachable }, false)).toMatch(/keep this page open/);
  expect(words({ isDirty: true, fieldErrors: { slug: 'is taken' } })).toBe('Not saved: URL is taken.');
  expect(words({ isDirty: true, fieldErrors: { 'tags.2': 'must not be empty' } })).toBe('Not saved: Tags can’t be empty.');
  expect(words({ isDirty: true, isKept: true, conflict: post })).toMatch(/^Not saved: this post was changed elsewhere/);
});
