import { expect, it } from 'vitest';
import { listBlogPostsInput } from '@/server/features/blog/blog-post.schema';
import { listInput, loadPostSearch, postSearchQuery, postsPerPage } from './search-params';

it('asks for exactly what the address says', () => {
  const search = loadPostSearch('?q=brakes&status=draft&tag=winter&page=3');
  expect(listInput(search)).toEqual({
    limit: postsPerPage,
    offset: 2 * postsPerPage,
    status: 'draft',
    tag: 'winter',
    search: 'brakes',
  });
});

it('asks for everything where the address says nothing, and writes nothing into it', () => {
  const search = loadPostSearch('');
  expect(listInput(search)).toEqual({ limit: postsPerPage, offset: 0 });
  expect(postSearchQuery(search)).toBe('');
});

it.each([
  '?status=deleted',
  '?page=0',
  '?page=-4',
  '?page=99999999999999',
  '?page=x',
  `?q=${'a'.repeat(2_000)}&tag=${'b'.repeat(2_000)}`,
])('makes a call that the API takes of %.20s', (address) => {
  expect(listBlogPostsInput.safeParse(listInput(loadPostSearch(address))).success).toBe(true);
});
