import { eventKind } from '@/server/features/events/event-kind.schema';
import { blogPostSchema } from './blog-post.schema';

export const blogPostEvents = eventKind({
  object: 'blog.post',
  schema: blogPostSchema,
  path: (id) => `/blog/posts/${id}`,
  access: { scope: 'blog:read' },
  types: {
    'blog.post.created': 'A post was created as a draft, or restored.',
    'blog.post.updated': 'A post or its URL changed.',
    'blog.post.published': 'A post was published.',
    'blog.post.unpublished': 'A post was unpublished and is a draft again.',
    'blog.post.archived': 'A post was archived. Its URL answers 410 Gone.',
    'blog.post.deleted': 'A post was deleted. It can be restored for 30 days.',
  },
});
