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
  blogPostVersion,
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
import { blogSettingsVersion, getBlogSettings, previewBlogPost, updateBlogSettings } from './blog-site.service';

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
        description: 'Newest first, by `createdAt`. Without `content`; get a single post for its text.',
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
          'Creates a draft; publish it to make it public. If a slug generated from the title is taken, a number is added.',
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
    .version(blogPostVersion)
    .query(({ ctx, input }) => getBlogPost(ctx.actor, input.postId)),

  update: identityProcedure
    .meta({
      scope: 'blog:write',
      roleScope: 'blog:draft',
      openapi: {
        method: 'PATCH',
        path: onePost,
        tags,
        summary: 'Update a blog post',
        description:
          'Only the given fields change; changes to a published post are public immediately. A new title without a `slug` changes the slug. The old URL redirects.',
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
        description: 'Publishing a published post changes nothing.',
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
        summary: 'Unpublish a blog post',
        description: 'Readers can no longer see it. Unpublishing a draft changes nothing.',
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
        description: 'Its URL answers 410 Gone. It keeps its `publishedAt`; publish or unpublish it to bring it back.',
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
          'Possible for 30 days after deletion; the post keeps its ID and status. If its slug is taken by now, a number is added. Restoring a post that isn’t deleted changes nothing.',
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
        summary: 'Upload an image',
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
      openapi: { method: 'GET', path: '/blog/settings', tags, summary: 'Get the blog settings' },
    })
    .input(z.object({}))
    .output(blogSettingsAnswerSchema)
    .version(blogSettingsVersion)
    .query(({ ctx }) => getBlogSettings(ctx.actor)),

  updateSettings: identityProcedure
    .meta({
      scope: 'blog:write',
      openapi: { method: 'PATCH', path: '/blog/settings', tags, summary: 'Update the blog settings' },
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
