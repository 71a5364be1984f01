import type { BlogPostRecord } from '@/server/features/blog/blog-post.schema';
import type { FieldErrors } from '@/server/platform/errors';
import { changedFields, fieldOfPath, type PostValues, pickFields, valuesOf } from './post-values';
import type { PostView, SaveFailure } from './post-view';
import type { RefusedFields } from './save-plan';

/**
 * What stands in the editor once the server has taken `submitted`: its own answer, but for what was typed since, and for what was
 * left out because it can't be saved as it is.
 */
export function settledValues(
  { values, followsTitle, fieldErrors }: Pick<PostView, 'values' | 'followsTitle' | 'fieldErrors'>,
  submitted: PostValues,
  stored: BlogPostRecord,
): PostValues {
  const waiting = Object.keys(fieldErrors).flatMap((path) => fieldOfPath(path) ?? []);
  const mine = [...changedFields(submitted, values), ...waiting];
  return { ...valuesOf(stored), ...pickFields(values, mine), ...(followsTitle ? { slug: stored.slug } : {}) };
}

/** What the server has refused after another refusal. `isNew` says whether sending the rest is worth a try. */
export function refusedAfter(
  before: RefusedFields,
  fields: FieldErrors,
  values: PostValues,
): { refused: RefusedFields; isNew: boolean } {
  const refused = new Map(before);
  let isNew = false;
  for (const [path, reason] of Object.entries(fields)) {
    const field = fieldOfPath(path);
    const value = field && values[field];
    isNew ||= field !== undefined && before.get(path)?.value !== value;
    refused.set(path, { value, reason });
  }
  return { refused, isNew };
}

/** A refusal that no field of the editor can show. */
export function refusalOf(fields: FieldErrors): SaveFailure {
  const reasons = Object.entries(fields).map(([path, reason]) => `${path} ${reason}`);
  return { message: `${reasons.join('; ')}.`, requestId: undefined, isUnreachable: false };
}
