import type { RenderedMarkdown } from '@/server/platform/markdown/rendered-markdown';

/**
 * Input of the public blog's rendering: plain data, already checked for visibility and, if it is HTML, sanitised. Times are ISO
 * 8601 in UTC. Texts are plain text unless noted otherwise.
 */

/** A service of the business, shown beside its posts. */
export interface SiteService {
  name: string;
  description: string;
  /** In the currency's main unit; null shows no price. */
  price: number | null;
  /** ISO 4217. */
  currency: string;
  billingInterval: 'one-time' | 'monthly' | 'yearly' | null;
}

/** The business that owns the blog. */
export interface Site {
  handle: string;
  /** Display name, else the handle. */
  title: string;
  tagline: string;
  about: string;
  website: string;
  /** BCP 47; an invalid tag counts as `en`. */
  language: string;
  /** Active services only, in the owner's order. */
  services: SiteService[];
  /** Origin of this installation without a trailing slash; the blog is at `${baseUrl}/blog/${handle}`. */
  baseUrl: string;
}

export interface Picture {
  /** http(s) or root-relative; anything else is not shown. */
  url: string;
  /** In pixels. Unless both are known, the page reserves a box of a fixed ratio. */
  width: number | null;
  height: number | null;
  /** HTML syntax, with `w` descriptors. */
  srcset?: string;
}

export interface PostSummary {
  /** A UUID: the permanent id in feeds, independent of the post's URL. */
  id: string;
  slug: string;
  title: string;
  /** Written by the author, or else the beginning of the text. */
  excerpt: string;
  authorName: string;
  authorAvatarUrl: string;
  tags: string[];
  publishedAt: string;
  updatedAt: string;
  readingMinutes: number;
  cover: Picture | null;
}

/** A picture for cards on other sites, about 1200 × 630. */
export interface SocialImage {
  url: string;
  width: number;
  height: number;
}

export interface PostLink {
  slug: string;
  title: string;
}

export interface PostPage extends PostSummary, Pick<RenderedMarkdown, 'html' | 'headings' | 'wordCount'> {
  /** The author's own excerpt, shown below the title; empty if `excerpt` was taken from the text, which would repeat it. */
  standfirst: string;
  metaDescription: string;
  social: SocialImage | null;
  newer: PostLink | null;
  older: PostLink | null;
}

export interface IndexPage {
  posts: PostSummary[];
  /** From 1. */
  page: number;
  pageCount: number;
  tag: string | null;
  /** Every tag of published posts, most used first. */
  tags: { tag: string; count: number }[];
  /** Posts on all pages. */
  total: number;
  social?: SocialImage | null;
}

/** A post for feeds. */
export type FeedPost = Omit<PostSummary, 'readingMinutes'> & { html: string };
