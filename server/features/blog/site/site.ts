/**
 * What the public blog is rendered from: plain data, already read, checked for visibility and, where it is HTML, sanitised.
 * Times are ISO 8601 in UTC. Texts are plain text unless they say otherwise.
 */

/** Something the business sells, shown beside its posts. */
export interface SiteService {
  name: string;
  description: string;
  /** In the currency's main unit; null shows no price. */
  price: number | null;
  /** ISO 4217. */
  currency: string;
  billingInterval: 'one-time' | 'monthly' | 'yearly' | null;
}

/** The business whose blog it is. */
export interface Site {
  handle: string;
  /** Display name, else the handle. */
  title: string;
  tagline: string;
  about: string;
  website: string;
  /** BCP 47; what is no language tag counts as `en`. */
  language: string;
  /** Active services only, in the owner's order. */
  services: SiteService[];
  /** Origin of this installation without a slash at its end; the blog is at `${baseUrl}/blog/${handle}`. */
  baseUrl: string;
}

export interface Picture {
  /** http(s) or root-relative; anything else is not shown. */
  url: string;
  /** In pixels. Without both, the page reserves a box of a fixed ratio. */
  width: number | null;
  height: number | null;
  /** As in HTML, with `w` descriptors. */
  srcset?: string;
  alt: string;
}

export interface PostSummary {
  /** A UUID: what feeds know the post by, whatever its address becomes. */
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

/** A picture made for cards on other sites, about 1200 × 630. */
export interface SocialImage {
  url: string;
  width: number;
  height: number;
}

export interface PostHeading {
  id: string;
  text: string;
  level: number;
}

export interface PostLink {
  slug: string;
  title: string;
}

export interface PostPage extends PostSummary {
  /** Sanitised HTML of the article; printed as it is. */
  html: string;
  headings: PostHeading[];
  /** The author's own excerpt, shown below the title; empty when `excerpt` was taken from the text, which would then stand twice. */
  standfirst: string;
  metaDescription: string;
  wordCount: number;
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

/** A post as feeds carry it. */
export type FeedPost = Omit<PostSummary, 'readingMinutes'> & { html: string };

export interface PageOptions {
  /** From `siteStylesheet`; stands unchanged between the style tags, so that its hash can be given in a content security policy. */
  stylesheet: string;
}
