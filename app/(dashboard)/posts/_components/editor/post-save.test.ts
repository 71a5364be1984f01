import { expect, it } from 'vitest';
import type { BlogPostRecord } from '@/server/features/blog/blog-post.schema';
import { reconcile } from './post-save';
import { emptyPost, valuesOf } from './post-values';

const base = { ...emptyPost, title: 'Wet brakes', content: 'Clean', status: 'draft', revision: 3 } as BlogPostRecord;
const mine = { ...valuesOf(base), content: 'Mine' };

it('follows where nothing would be lost', () => {
  expect(reconcile(base, valuesOf(base), { ...base, content: 'Theirs' })).toBe('follow');
  expect(reconcile(base, mine, { ...base, content: 'Mine' })).toBe('follow');
});

it('goes on where only the state changed', () => {
  expect(reconcile(base, mine, { ...base, status: 'published' })).toBe('rebase');
});

it('asks where both changed what the post says, in whichever fields', () => {
  expect(reconcile(base, mine, { ...base, content: 'Theirs' })).toBe('conflict');
  expect(reconcile(base, mine, { ...base, tags: ['theirs'] })).toBe('conflict');
});
