import { eventKind } from '@/server/features/events/event-kind.schema';
import { blogPostSchema } from './blog-post.schema';

export const blogPostEvents = eventKind({
  object: 'blog.post',
  schema: blogPostSchema,
  path: (id) => `/blog/posts/${id}`,
  access: { scope: 'blog:read' },
  types: {
    'blog.post.created': 'A post was created, as a draft, or restored after its deletion.',
    'blog.post.updated': 'A post changed, or its address.',
    'blog.post.published': 'A post was published.',
    'blog.post.unpublished': 'A post became a draft again.',
    'blog.post.archived': 'A post was archived: readers are told that it is gone.',
    'blog.post.deleted': 'A post was deleted. It can be restored for 30 days.',
  },
});
