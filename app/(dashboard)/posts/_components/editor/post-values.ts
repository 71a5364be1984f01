import type { BlogPostRecord } from '@/server/features/blog/blog-post.schema';
import type { FieldErrors } from '@/server/platform/errors';

/** What can be edited of a post; an address of '' is one that is made from the title. */
const postFields = [
  'title',
  'content',
  'slug',
  'excerpt',
  'authorName',
  'authorAvatarUrl',
  'authorAgentId',
  'coverImageUrl',
  'tags',
  'metaDescription',
] as const satisfies readonly (keyof BlogPostRecord)[];

export type PostField = (typeof postFields)[number];

export type PostValues = Pick<BlogPostRecord, PostField>;

export const emptyPost: PostValues = {
  title: '',
  content: '',
  slug: '',
  excerpt: '',
  authorName: '',
  authorAvatarUrl: '',
  authorAgentId: null,
  coverImageUrl: '',
  tags: [],
  metaDescription: '',
};

export function valuesOf(post: BlogPostRecord): PostValues {
  return Object.fromEntries(postFields.map((field) => [field, post[field]])) as unknown as PostValues;
}

function isSameValue(a: PostValues[PostField], b: PostValues[PostField]): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

/** The fields in which two states differ, in their fixed order. */
export function changedFields(before: PostValues, after: PostValues): PostField[] {
  return postFields.filter((field) => !isSameValue(before[field], after[field]));
}

export function isSamePost(a: PostValues, b: PostValues): boolean {
  return changedFields(a, b).length === 0;
}

/** The part of some values that consists of these fields. */
export function pickFields(values: PostValues, fields: readonly PostField[]): Partial<PostValues> {
  return Object.fromEntries(fields.map((field) => [field, values[field]]));
}

/** The field that a reason is about: "tags.2" is about the tags. */
export function fieldOfPath(path: string): PostField | undefined {
  const [name] = path.split('.');
  return postFields.find((field) => field === name);
}

/** The reasons that are about none of these fields. */
export function withoutFields(errors: FieldErrors, fields: readonly string[]): FieldErrors {
  return Object.fromEntries(Object.entries(errors).filter(([path]) => !fields.includes(path.split('.')[0] ?? '')));
}
