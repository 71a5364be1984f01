import type { FieldErrors } from '@/server/platform/errors';
import type { PostField, PostValues } from './post-values';

type PostSchema = typeof import('@/server/features/blog/blog-post.schema').updateBlogPostInput;

let schema: PostSchema | null = null;

/** Fetches the server's rules. Where they cannot be had, nothing is found wrong here, and the server says it. */
export async function loadPostChecks(): Promise<void> {
  try {
    schema ??= (await import('@/server/features/blog/blog-post.schema')).updateBlogPostInput;
  } catch {
    // Without a connection nothing can be saved either.
  }
}

/** What the server would refuse, by the field's name and in the schema's own words; once `loadPostChecks` has come through. */
export function invalidFieldsOf(values: PostValues, fields: readonly PostField[]): FieldErrors {
  const reasons: FieldErrors = {};
  for (const field of fields) {
    const issue = schema?.shape[field].safeParse(values[field]).error?.issues[0];
    if (issue) reasons[[field, ...issue.path.map(String)].join('.')] = issue.message;
  }
  return reasons;
}
