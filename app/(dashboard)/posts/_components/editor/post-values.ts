import { isSame } from '@/app/_kit/is-same';
import type { BlogPostRecord } from '@/server/features/blog/blog-post.schema';
import type { FieldErrors } from '@/server/platform/errors';

/** The editable fields of a post; an address of '' is generated from the title. */
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

/** The fields in which two states differ, in their fixed order. */
export function changedFields(before: PostValues, after: PostValues): PostField[] {
  return postFields.filter((field) => !isSame(before[field], after[field]));
}

export function isSamePost(a: PostValues, b: PostValues): boolean {
  return changedFields(a, b).length === 0;
}

/** The given fields of some values. */
export function pickFields(values: PostValues, fields: readonly PostField[]): Partial<PostValues> {
  return Object.fromEntries(fields.map((field) => [field, values[field]]));
}

/** The field that an error path belongs to: "tags.2" belongs to the tags. */
export function fieldOfPath(path: string): PostField | undefined {
  const [name] = path.split('.');
  return postFields.find((field) => field === name);
}

/** The errors of all fields but these. */
export function withoutFields(errors: FieldErrors, fields: readonly string[]): FieldErrors {
  return Object.fromEntries(Object.entries(errors).filter(([path]) => !fields.includes(path.split('.')[0] ?? '')));
}

/** The drawer's values. A select has no value for "none" but the empty one, so the agent is '' if there is none. */
export interface DetailsValues extends Omit<PostValues, 'title' | 'content' | 'authorAgentId'> {
  authorAgentId: string;
}

export function toDetails(values: PostValues): DetailsValues {
  const { title: _title, content: _content, authorAgentId, ...rest } = values;
  return { ...rest, authorAgentId: authorAgentId ?? '' };
}

export function fromDetails({ authorAgentId, ...rest }: DetailsValues): Omit<PostValues, 'title' | 'content'> {
  return { ...rest, authorAgentId: authorAgentId === '' ? null : authorAgentId };
}

/** The fields that every stored post has. */
export const essentialFields = ['title', 'content', 'authorName'] as const satisfies readonly PostField[];

export type NewPost = Pick<PostValues, (typeof essentialFields)[number]> & Partial<PostValues>;
