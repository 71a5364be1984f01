import { expect, it } from 'vitest';
import type { BlogPostRecord } from '@/server/features/blog/blog-post.schema';
import { followsTitle } from './follows-title';

const draft = (title: string, slug: string, more: Partial<BlogPostRecord> = {}) =>
  ({ title, slug, status: 'draft', publishedAt: null, ...more }) as BlogPostRecord;

it.each([
  ['Wet brakes', 'wet-brakes'],
  ['Wet brakes', 'wet-brakes-2'],
  ['Crème brûlée, Mara’s way', 'creme-brulee-maras-way'],
  ['🚲', 'post-1a2b3c4d'],
  [`${'word '.repeat(30)}`, `${'word-'.repeat(15)}word`],
])('takes the address of %j, %j, for one that was made of it', (title, slug) => {
  expect(followsTitle(draft(title, slug))).toBe(true);
});

it.each([
  ['Wet brakes', 'brakes'],
  ['Wet brakes', 'wet-brakes-in-winter'],
  ['Мокрые тормоза', 'mokrye-tormoza'],
])('leaves the address of %j, %j, as somebody may have written it', (title, slug) => {
  expect(followsTitle(draft(title, slug))).toBe(false);
});

it('leaves an address that readers know', () => {
  expect(followsTitle(draft('Wet brakes', 'wet-brakes', { status: 'published', publishedAt: '2026-11-02T09:30:00.000Z' }))).toBe(
    false,
  );
});
