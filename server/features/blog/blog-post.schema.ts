import * as z from 'zod';
import { nextCursor, paging, recordId, requiredText, text, timestamp, uuid, webAddress } from '@/server/platform/fields.schema';

export const blogPostStatuses = ['draft', 'published', 'archived'] as const;

export type BlogPostStatus = (typeof blogPostStatuses)[number];

/** Maximum content, in bytes of UTF-8 (contract section 2). */
export const contentMaximumBytes = 5 * 1024 * 1024;

/**
 * Maximum body of a request with content: some programs escape a non-ASCII character as six characters, which is twice its
 * bytes or more.
 */
export const contentBodyMaximumBytes = 2 * contentMaximumBytes + 1024 * 1024;

/** Lower-case ASCII kebab case. */
export const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Maximum lengths, in characters. */
export const blogPostLimits = {
  title: 300,
  slug: 200,
  excerpt: 2_000,
  authorName: 200,
  metaDescription: 1_000,
  tag: 100,
  tags: 50,
};

const listedFields = {
  id: recordId,
  title: z.string(),
  slug: z.string().meta({ description: 'The last part of the public URL; unique within the identity.' }),
  excerpt: z.string(),
  coverImageUrl: z.string(),
  authorName: z.string(),
  authorAvatarUrl: z.string(),
  authorAgentId: recordId.nullable(),
  status: z.enum(blogPostStatuses),
  publishedAt: timestamp.nullable().meta({ description: 'Null for a draft. An archived post keeps its time.' }),
  tags: z.array(z.string()),
  metaDescription: z.string(),
};

const url = z.url().nullable().meta({ description: 'The public URL; null unless published.' });

export const blogPostSchema = z
  .object({
    ...listedFields,
    content: z.string().meta({ description: 'GitHub Flavored Markdown.' }),
    url,
    revision: z.int().meta({ description: 'Incremented by every change.' }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: 'BlogPost',
    examples: [
      {
        id: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50',
        title: 'Wet brakes, and what to do about them',
        slug: 'wet-brakes-and-what-to-do-about-them',
        excerpt: 'Rim brakes lose half of their bite in the rain.',
        coverImageUrl: '',
        authorName: 'Mara Lindqvist',
        authorAvatarUrl: '',
        authorAgentId: null,
        status: 'published',
        publishedAt: '2026-11-02T09:30:00.000Z',
        tags: ['brakes', 'winter'],
        metaDescription: 'How to keep rim brakes working in the rain.',
        content: '## Clean the rims first\n\nA cloth and *isopropyl alcohol* will do.',
        url: 'https://desk.example.com/blog/harbor-lane/wet-brakes-and-what-to-do-about-them',
        revision: 3,
        createdAt: '2026-11-01T16:02:11.000Z',
        updatedAt: '2026-11-02T09:30:00.000Z',
      },
    ],
  });

export type BlogPostRecord = z.output<typeof blogPostSchema>;

export const blogPostItemSchema = z
  .object({
    ...listedFields,
    url,
    editedAt: timestamp.meta({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'BlogPostItem' });

export type BlogPostItem = z.output<typeof blogPostItemSchema>;

/** The response of every operation on one post. */
export const blogPostAnswerSchema = z.object({ success: z.literal(true), data: z.object({ post: blogPostSchema }) });

export type BlogPostAnswer = z.output<typeof blogPostAnswerSchema>;

export const blogPostListSchema = z.object({
  success: z.literal(true),
  data: z.object({
    posts: z.array(blogPostItemSchema),
    total: z
      .int()
      .meta({ description: 'Number of matches. With `tag` or `search`, counting stops at 1,000; see `totalIsExact`.' }),
    totalIsExact: z.boolean().meta({ description: 'False if more than `total` match.' }),
    limit: z.int(),
    offset: z.int(),
    hasMore: z.boolean(),
    nextCursor,
  }),
});

export type BlogPostList = z.output<typeof blogPostListSchema>;

const slug = z
  .string()
  .min(1)
  .max(blogPostLimits.slug)
  .regex(slugPattern, {
    error: 'must be lower-case letters and digits in words joined by hyphens, such as wet-brakes',
  })
  .meta({ description: 'Generated from the title by default.', examples: ['wet-brakes'] });

/** Empty, a web address, or the path of a picture of this installation, as returned by an upload. */
const pictureUrl = z.union([z.literal(''), z.string().regex(/^\/blog\/[a-z0-9-]+\/media\/[0-9a-f-]{36}\.webp$/), webAddress], {
  error: 'must be a URL that starts with http:// or https://',
});

const fields = {
  title: requiredText(blogPostLimits.title),
  content: z
    .string()
    .refine((value) => value.trim() !== '', { error: 'must not be empty' })
    .meta({ description: 'GitHub Flavored Markdown, at most 5 MiB.' }),
  authorName: requiredText(blogPostLimits.authorName),
  slug,
  excerpt: text(blogPostLimits.excerpt),
  coverImageUrl: pictureUrl,
  authorAvatarUrl: pictureUrl,
  authorAgentId: uuid.nullable().meta({ description: 'An agent of this identity.' }),
  tags: z
    .array(requiredText(blogPostLimits.tag))
    .max(blogPostLimits.tags)
    .meta({ examples: [['brakes', 'winter']] }),
  metaDescription: text(blogPostLimits.metaDescription).meta({ description: 'For search engines.' }),
};

export const createBlogPostInput = z.object({
  ...fields,
  slug: fields.slug.optional(),
  excerpt: fields.excerpt.default(''),
  coverImageUrl: fields.coverImageUrl.default(''),
  authorAvatarUrl: fields.authorAvatarUrl.default(''),
  authorAgentId: fields.authorAgentId.default(null),
  tags: fields.tags.default([]),
  metaDescription: fields.metaDescription.default(''),
});

export type CreateBlogPostInput = z.output<typeof createBlogPostInput>;

/** The transport sets the error message for a malformed id (specification, "Errors"). */
export const blogPostIdInput = z.object({ postId: uuid });

export const updateBlogPostInput = blogPostIdInput.extend({
  ...z.object(fields).partial().shape,
  ifRevision: z
    .int()
    .min(1)
    .meta({
      deprecated: true,
      description:
        'The change is only made at this `revision`, otherwise the status is 409 `edited_elsewhere`. Will be removed in 1.0; use `If-Match` instead.',
    })
    .optional(),
});

export type UpdateBlogPostInput = z.output<typeof updateBlogPostInput>;

export const listBlogPostsInput = z.object({
  ...paging({ defaultLimit: 20, maximumLimit: 100 }),
  status: z.enum(blogPostStatuses).meta({ description: 'All by default.' }).optional(),
  tag: z.string().max(500).meta({ description: 'Only posts with exactly this tag.' }).optional(),
  search: z.string().max(500).meta({ description: 'Searches titles, ignoring case.' }).optional(),
});

export type ListBlogPostsInput = z.output<typeof listBlogPostsInput>;

/** Number of posts per status, and suggested tags, most frequent first; for the dashboard. */
export const blogOverviewSchema = z.object({
  counts: z.object({ draft: z.int(), published: z.int(), archived: z.int() }),
  tags: z.array(z.string()),
  siteUrl: z.url(),
});

export type BlogOverview = z.output<typeof blogOverviewSchema>;

/** Whether the signed-in member may change a post; for the dashboard's editor. */
export const blogPostEditingSchema = z.object({ isEditable: z.boolean() });

export type BlogPostEditing = z.output<typeof blogPostEditingSchema>;
