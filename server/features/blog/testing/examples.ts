import { publishPost, writePost } from '@/server/testing/blog';
import type { Examples } from '@/server/testing/examples';
import { smallPicture } from '@/server/testing/small-picture';
import { deleteBlogPost } from '../blog-post-deletion.service';

export const examples: Examples = {
  bodies: {
    'blog.create': { title: 'New', content: 'Text', authorName: 'Ann' },
    'blog.update': { title: 'Changed' },
    'blog.uploadImage': { content: smallPicture },
    'blog.updateSettings': { language: 'de' },
  },
  records: {
    parameters: ['postId'],
    create: async ({ actor }) => ({
      postId: (await writePost(actor, { title: 'Theirs', content: 'x', authorName: 'S' })).id,
    }),
  },
  own: {
    'blog.unpublish': async ({ actor }) => [{ postId: (await publishPost(actor)).id }],
    'blog.preview': () => [{ title: 'New', content: 'Text' }],
    'blog.restore': async ({ actor, ids: { postId = '' } }) => {
      await deleteBlogPost(actor, postId);
      return [{ postId }];
    },
  },
  foreign: {
    'blog.list': () => [{}, { search: 'secret' }, { tag: 'secret' }],
    'blog.create': ({ agentId, pictureUrl, slug }) => {
      const post = { title: 'Mine', content: `![](${pictureUrl})`, authorName: 'Me' };
      return [
        { ...post, authorAgentId: agentId },
        { ...post, coverImageUrl: pictureUrl },
        { ...post, slug },
      ];
    },
    'blog.editing': ({ postId }) => [{ postId }],
    'blog.preview': ({ pictureUrl }) => [{ title: 'Mine', content: `![](${pictureUrl})`, coverImageUrl: pictureUrl }],
  },
  withoutRecords: ['blog.editing'],
  async fill({ as, known: { agentId, marker }, words }) {
    const picture = await as.blog.uploadImage({ content: smallPicture });
    const slug = `${marker}-post`;
    const post = await as.blog.create({
      ...{ title: `Post ${words}`, content: words, authorName: words, slug, excerpt: words, tags: ['secret', marker] },
      ...{ metaDescription: words, authorAgentId: agentId },
    });
    return { postId: post.data.post.id, slug, pictureUrl: picture.data.image.url };
  },
  rows: [
    `INSERT INTO blog_post_former_addresses (identity_id, post_id, slug) SELECT $1, id, 'old' FROM blog_posts WHERE identity_id = $1`,
  ],
  unaudited: ['blog_image_files', 'blog_post_counts', 'blog_post_former_addresses', 'remote_pictures'],
  reference: ['remote_pictures'],
  rules: [
    { operation: /blog\/posts/, problem: /^authorAgentId: is not an agent of this identity$/, why: 'refers to what is there' },
    { operation: /blog\/images/, problem: /^content: (must be base64|This is not an image)/, why: 'bytes of a picture' },
    { operation: /blog\/settings/, problem: /^language: must be a language tag/, why: 'BCP 47' },
  ],
  conflicts: {
    'blog.create': ['slug_taken', ({ send, body }) => send({ json: { ...body, slug: 'theirs' } })],
    'blog.update': ['edited_elsewhere', ({ send }) => send({ json: { title: 'x', ifRevision: 77 } })],
  },
};
