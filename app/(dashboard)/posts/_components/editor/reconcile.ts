import type { BlogPostRecord } from '@/server/features/blog/blog-post.schema';
import { isSamePost, type PostValues, valuesOf } from './post-values';

/**
 * What to do about a post that is at another revision on the server than here:
 *
 * - `follow`: nothing is typed here that the server does not have; show the server's.
 * - `rebase`: only its state changed there (it was published, say); what is typed here goes on top.
 * - `conflict`: both changed what it says; a person decides.
 */
type Reconciliation = 'follow' | 'rebase' | 'conflict';

/** @param base the post as it was when `mine` was begun */
export function reconcile(base: BlogPostRecord, mine: PostValues, theirs: BlogPostRecord): Reconciliation {
  const atFirst = valuesOf(base);
  const there = valuesOf(theirs);
  if (isSamePost(mine, there) || isSamePost(mine, atFirst)) return 'follow';
  return isSamePost(there, atFirst) ? 'rebase' : 'conflict';
}
