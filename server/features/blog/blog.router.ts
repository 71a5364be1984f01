import * as z from 'zod';
import { successSchema } from '@/server/platform/fields.schema';
import { dashboardProcedure, identityProcedure, router } from '@/server/platform/trpc/trpc';
import { blogImageAnswerSchema, imageBodyMaximumBytes, uploadBlogImageInput } from './blog-image.schema';
import { uploadBlogImage } from './blog-image.service';
import {
  blogOverviewSchema,
  blogPostAnswerSchema,
  blogPostEditingSchema,
  blogPostIdInput,
  blogPostListSchema,
  contentBodyMaximumBytes,
  createBlogPostInput,
  listBlogPostsInput,
  updateBlogPostInput,
} from './blog-post.schema';
import {
  createBlogPost,
  getBlogOverview,
  getBlogPost,
  getPostEditing,
  listBlogPosts,
  moveBlogPost,
  updateBlogPost,
} from './blog-post.service';
import { deleteBlogPost, restoreBlogPost } from './blog-post-deletion.service';
import {
  blogPostPreviewSchema,
  blogSettingsAnswerSchema,
  previewBlogPostInput,
  updateBlogSettingsInput,
} from './blog-site.schema';
import { getBlogSettings, previewBlogPost, updateBlogSettings } from './blog-site.service';

const tags = ['Blog'];
const path = '/blog/posts' as const;
const onePost = `${path}/{postId}` as const;

export const blogRouter = router({
  list: identityProcedure
    .meta({
      scope: 'blog:read',
      openapi: {
        method: 'GET',
        path,
        tags,
        summary: 'List blog posts',
        description: 'The newest first, by `createdAt`. Texts are left out; get a post for its `content`.',
      },
    })
    .input(listBlogPostsInput)
    .output(blogPostListSchema)
    .query(({ ctx, input }) => listBlogPosts(ctx.actor, input)),

  create: identityProcedure
    .meta({
      scope: 'blog:write',
      roleScope: 'blog:draft',
      agentField: 'authorAgentId',
      openapi: {
        method: 'POST',
        path,
        tags,
        summary: 'Create a blog post',
        description:
          'A draft; publish it to show it to readers. A slug that is taken gets a number where it is made from the title.',
      },
      rest: { status: 201, maximumBodyBytes: contentBodyMaximumBytes, errors: [409] },
      events: ['blog.post.created'],
    })
    .input(createBlogPostInput)
    .output(blogPostAnswerSchema)
    .mutation(({ ctx, input }) => createBlogPost(ctx.actor, input)),

  get: identityProcedure
    .meta({ scope: 'blog:read', openapi: { method: 'GET', path: onePost, tags, summary: 'Get a blog post' } })
    .input(blogPostIdInput)
    .output(blogPostAnswerSchema)
    .query(({ ctx, input }) => getBlogPost(ctx.actor, input.postId)),

  update: identityProcedure
    .meta({
      scope: 'blog:write',
      roleScope: 'blog:draft',
      openapi: {
        method: 'PATCH',
        path: onePost,
        tags,
        summary: 'Change a blog post',
        description:
          'Only supplied fields change; what is published is live at once. A new title without a slug makes a new slug. The old URL redirects.',
      },
      rest: { maximumBodyBytes: contentBodyMaximumBytes, errors: [409] },
      events: ['blog.post.updated'],
    })
    .input(updateBlogPostInput)
    .output(blogPostAnswerSchema)
    .mutation(({ ctx, input }) => updateBlogPost(ctx.actor, input)),

  publish: identityProcedure
    .meta({
      scope: 'blog:write',
      openapi: {
        method: 'POST',
        path: `${onePost}/publish`,
        tags,
        summary: 'Publish a blog post',
        description: 'A post that is published already stays as it is.',
      },
      rest: { bodyOptional: true },
      events: ['blog.post.published'],
    })
    .input(blogPostIdInput)
    .output(blogPostAnswerSchema)
    .mutation(({ ctx, input }) => moveBlogPost(ctx.actor, input.postId, 'published')),

  unpublish: identityProcedure
    .meta({
      scope: 'blog:write',
      openapi: {
        method: 'POST',
        path: `${onePost}/unpublish`,
        tags,
        summary: 'Make a blog post a draft again',
        description: 'Readers do not find it any more. A draft stays as it is.',
      },
      rest: { bodyOptional: true },
      events: ['blog.post.unpublished'],
    })
    .input(blogPostIdInput)
    .output(blogPostAnswerSchema)
    .mutation(({ ctx, input }) => moveBlogPost(ctx.actor, input.postId, 'draft')),

  archive: identityProcedure
    .meta({
      scope: 'blog:write',
      openapi: {
        method: 'POST',
        path: `${onePost}/archive`,
        tags,
        summary: 'Archive a blog post',
        description:
          'Readers are told that it is gone. It keeps its `publishedAt`; publishing or unpublishing takes it out again.',
      },
      rest: { bodyOptional: true },
      events: ['blog.post.archived'],
    })
    .input(blogPostIdInput)
    .output(blogPostAnswerSchema)
    .mutation(({ ctx, input }) => moveBlogPost(ctx.actor, input.postId, 'archived')),

  delete: identityProcedure
    .meta({
      scope: 'blog:write',
      roleScope: 'blog:draft',
      openapi: {
        method: 'DELETE',
        path: onePost,
        tags,
        summary: 'Delete a blog post',
        description: 'It can be restored for 30 days.',
      },
      events: ['blog.post.deleted'],
    })
    .input(blogPostIdInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => deleteBlogPost(ctx.actor, input.postId)),

  restore: identityProcedure
    .meta({
      scope: 'blog:write',
      roleScope: 'blog:draft',
      openapi: {
        method: 'POST',
        path: `${onePost}/restore`,
        tags,
        summary: 'Restore a deleted blog post',
        description:
          'For 30 days after its deletion, under its id; published if it was. If another post has its slug now, it gets a number. A post that is not deleted stays as it is.',
      },
      rest: { bodyOptional: true, unconditional: true },
      events: ['blog.post.created'],
    })
    .input(blogPostIdInput)
    .output(blogPostAnswerSchema)
    .mutation(({ ctx, input }) => restoreBlogPost(ctx.actor, input.postId)),

  uploadImage: identityProcedure
    .meta({
      scope: 'blog:write',
      roleScope: 'blog:draft',
      openapi: {
        method: 'POST',
        path: '/blog/images',
        tags,
        summary: 'Upload a picture',
        description: 'Resized; metadata removed.',
      },
      rest: { status: 201, maximumBodyBytes: imageBodyMaximumBytes },
      events: [],
    })
    .input(uploadBlogImageInput)
    .output(blogImageAnswerSchema)
    .mutation(({ ctx, input }) => uploadBlogImage(ctx.actor, input)),

  settings: identityProcedure
    .meta({
      scope: 'blog:read',
      openapi: { method: 'GET', path: '/blog/settings', tags, summary: 'Get the settings of the public blog' },
    })
    .input(z.object({}))
    .output(blogSettingsAnswerSchema)
    .query(({ ctx }) => getBlogSettings(ctx.actor)),

  updateSettings: identityProcedure
    .meta({
      scope: 'blog:write',
      openapi: { method: 'PATCH', path: '/blog/settings', tags, summary: 'Change the settings of the public blog' },
      events: [],
    })
    .input(updateBlogSettingsInput)
    .output(blogSettingsAnswerSchema)
    .mutation(({ ctx, input }) => updateBlogSettings(ctx.actor, input)),

  overview: dashboardProcedure
    .meta({ scope: 'blog:read' })
    .input(z.object({}))
    .output(blogOverviewSchema)
    .query(({ ctx }) => getBlogOverview(ctx.actor)),

  editing: dashboardProcedure
    .meta({ scope: 'blog:read' })
    .input(blogPostIdInput)
    .output(blogPostEditingSchema)
    .query(({ ctx, input }) => getPostEditing(ctx.actor, input.postId)),

  preview: dashboardProcedure
    .meta({ scope: 'blog:read', rest: { maximumBodyBytes: contentBodyMaximumBytes }, events: [] })
    .input(previewBlogPostInput)
    .output(blogPostPreviewSchema)
    .mutation(({ ctx, input }) => previewBlogPost(ctx.actor, input)),
});
