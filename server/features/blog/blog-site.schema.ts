import * as z from 'zod';
import { revision, text } from '@/server/platform/fields.schema';
import { blogPostLimits, contentMaximumBytes } from './blog-post.schema';

/** Languages for which the public pages have labels; pages in any other language use the English ones. */
export const labelledLanguages: readonly string[] = ['de', 'en', 'es', 'fr', 'it', 'nl', 'pt'];

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** A language tag (BCP 47), canonicalized here. */
const language = z
  .string()
  .min(1)
  .max(35)
  .refine(isLanguage, { error: 'must be a language tag such as en, de or pt-BR' })
  .transform((tag) => Intl.getCanonicalLocales(tag)[0] ?? tag)
  .meta({ description: 'The language of the posts, as a BCP 47 tag.', examples: ['en'] });

export const blogSettingsSchema = z.object({ language: z.string(), siteUrl: z.url(), revision }).meta({ id: 'BlogSettings' });

export type BlogSettings = z.output<typeof blogSettingsSchema>;

export const blogSettingsAnswerSchema = z.object({ success: z.literal(true), data: z.object({ settings: blogSettingsSchema }) });

export const updateBlogSettingsInput = z.object({ language: language.optional() });

export type UpdateBlogSettingsInput = z.output<typeof updateBlogSettingsInput>;

/** A post in its editor state, saved or not, valid or not. */
export const previewBlogPostInput = z.object({
  title: text(blogPostLimits.title * 2),
  content: text(contentMaximumBytes),
  excerpt: text(blogPostLimits.excerpt * 2).default(''),
  coverImageUrl: z.string().max(2048).default(''),
  authorName: text(blogPostLimits.authorName * 2).default(''),
  authorAvatarUrl: z.string().max(2048).default(''),
  tags: z
    .array(z.string().max(200))
    .max(blogPostLimits.tags * 2)
    .default([]),
  /** Null means now, for both. */
  publishedAt: z.iso.datetime().nullable().default(null),
  updatedAt: z.iso.datetime().nullable().default(null),
});

export type PreviewBlogPostInput = z.output<typeof previewBlogPostInput>;

export const blogPostPreviewSchema = z.object({
  /** The whole public page. */
  page: z.string(),
  wordCount: z.int(),
  readingMinutes: z.int(),
  /** The description for search engines and cards if neither metaDescription nor excerpt is given. */
  description: z.string(),
  /** True if rendering the Markdown was too expensive, so that the page shows the source text. */
  isPlain: z.boolean(),
});

export type BlogPostPreview = z.output<typeof blogPostPreviewSchema>;
