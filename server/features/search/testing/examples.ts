import type { Examples } from '@/server/testing/examples';

export const examples: Examples = {
  foreign: { 'search.records': () => [{ query: 'secret' }, { query: 'Post' }, { query: 'ann' }] },
};
