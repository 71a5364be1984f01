import type { BlogPostRecord } from '@/server/features/blog/blog-post.schema';
import type { FieldErrors } from '@/server/platform/errors';
import { invalidFieldsOf } from './post-checks';
import { changedFields, emptyPost, fieldOfPath, type PostField, type PostValues, pickFields, valuesOf } from './post-values';

/** Values that the server refused; they are not sent again until they are others. */
export type RefusedFields = ReadonlyMap<string, { value: unknown; reason: string }>;

/** What a save sends, and what has to wait because it can't be saved as it is. */
interface SavePlan {
  changes: Partial<PostValues>;
  /** Reasons by field path. */
  waiting: FieldErrors;
}

interface Editing {
  values: PostValues;
  /** True where the address is made from the title, until somebody writes one. */
  followsTitle: boolean;
  refused: RefusedFields;
}

function waitingOf({ values, refused }: Editing, fields: readonly PostField[]): FieldErrors {
  const waiting = invalidFieldsOf(values, fields);
  for (const [path, { value, reason }] of refused) {
    const field = fieldOfPath(path);
    if (field && fields.includes(field) && values[field] === value) waiting[path] ??= reason;
  }
  return waiting;
}

function withoutWaiting(fields: readonly PostField[], waiting: FieldErrors): PostField[] {
  const kept = new Set(Object.keys(waiting).map(fieldOfPath));
  return fields.filter((field) => !kept.has(field));
}

/**
 * The changes to send for a post that exists. The server makes a new address of a new title where none is given, so one that
 * somebody wrote, or that readers know, is given along.
 */
export function planUpdate(post: BlogPostRecord, editing: Editing): SavePlan {
  const { values, followsTitle } = editing;
  const changed = changedFields(valuesOf(post), values).filter((field) => field !== 'slug' || !followsTitle);
  const waiting = waitingOf(editing, changed);
  const changes = pickFields(values, withoutWaiting(changed, waiting));
  if (changes.title !== undefined && !followsTitle) changes.slug ??= post.slug;
  return { changes, waiting };
}

/** What every post has, from the first save on. */
const essentialFields = ['title', 'content', 'authorName'] as const satisfies readonly PostField[];

export type NewPost = Pick<PostValues, (typeof essentialFields)[number]> & Partial<PostValues>;

/** What a new post is created with; null while what every post has is not all there. */
export function planCreate(editing: Editing): { changes: NewPost | null; waiting: FieldErrors } {
  const { values, followsTitle } = editing;
  const given = changedFields(emptyPost, values).filter((field) => field !== 'slug' || !followsTitle);
  const checked = [...new Set([...essentialFields, ...given])];
  const waiting = waitingOf(editing, checked);
  const sent = withoutWaiting(checked, waiting);
  const isWhole = essentialFields.every((field) => sent.includes(field));
  return { changes: isWhole ? (pickFields(values, sent) as NewPost) : null, waiting };
}
