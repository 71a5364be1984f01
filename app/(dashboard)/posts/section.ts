import { Newspaper } from 'lucide-react';
import { callsOfRecords, matchesAt, type Section } from '../_components/section';

export const postsSection: Section = {
  entry: { href: '/posts', label: 'Blog', icon: Newspaper, group: 'main', letter: 'b' },
  needs: [['/posts/new', 'blog:draft']],
  creates: { meaning: 'New post', href: '/posts/new', on: '/posts', needs: 'blog:draft' },
  records: {
    post: { label: 'Posts', icon: Newspaper, unnamed: 'Untitled', href: (id) => `/posts/${id}`, listHref: matchesAt('/posts') },
  },
  calls: [
    { path: '/posts/new', selection: { operations: ['blog-create', 'blog-uploadImage'] } },
    ...callsOfRecords('/posts', 'Blog', 'postId'),
  ],
};
