import { expect, it } from 'vitest';
import { listBlogPostsInput } from '@/server/features/blog/blog-post.schema';
import { postSearch } from './search-params';

const { load, input, query, pageSize } = postSearch;

it('asks for exactly what the address says', () => {
  expect(input(load('?q=brakes&status=draft&tag=winter&page=3'))).toEqual({
    limit: pageSize,
    offset: 2 * pageSize,
    status: 'draft',
    tag: 'winter',
    search: 'brakes',
  });
});

it('asks for everything where the address says nothing, and writes nothing into it', () => {
  const search = load('');
  expect(input(search)).toEqual({ limit: pageSize, offset: 0 });
  expect(query(search)).toBe('');
});

it.each([
  '?status=deleted',
  '?page=0',
  '?page=-4',
  '?page=99999999999999',
  '?page=x',
  `?q=${'a'.repeat(2_000)}&tag=${'b'.repeat(2_000)}`,
])('makes a call that the API takes of %.20s', (address) => {
  expect(listBlogPostsInput.safeParse(input(load(address))).success).toBe(true);
});
