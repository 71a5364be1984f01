import type { ErrorFacts } from '@/app/_kit/error-facts';
import type { BlogPostRecord } from '@/server/features/blog/blog-post.schema';
import { isSamePost, type PostValues, valuesOf } from './post-values';
import type { NewPost } from './save-plan';

const retryMilliseconds = { first: 2_000, last: 60_000 };

/** The most updates without an answer that are remembered. */
const mostUpdates = 20;

/** The server was not reached, is overloaded, or is still busy with the same save: no one knows yet what became of it. */
export function isUnanswered(code: ErrorFacts['code']): boolean {
  return ['unreachable', 'unavailable', 'rate_limit_exceeded', 'idempotency_running'].includes(code);
}

/** A creation as it was sent: the request, and all that stood in the editor. */
interface Creation {
  post: NewPost;
  values: PostValues;
}

/** Saves that may have got through although no answer came, and when to try again. */
export class UnansweredSaves {
  #creation: Creation | null = null;
  #updates: readonly PostValues[] = [];
  #delay = retryMilliseconds.first;

  /** The creation to send: one that is not answered yet goes out as it was, or the server would take it for another post (docs/adr/0012). */
  creation(post: NewPost, values: PostValues): Creation {
    this.#creation ??= { post, values };
    return this.#creation;
  }

  /** The server refused the creation. */
  dropCreation(): void {
    this.#creation = null;
  }

  /** What the post says if this update got through. The earliest are the likeliest to have, so those stay. */
  addUpdate(values: PostValues): void {
    if (this.#updates.some((one) => isSamePost(one, values))) return;
    this.#updates = [...this.#updates.slice(0, mostUpdates - 1), values];
  }

  /** Whether what the server has is one of our own updates. */
  includes(theirs: BlogPostRecord, followsTitle: boolean): boolean {
    return this.#updates.some((ours) => isSamePost(followsTitle ? { ...ours, slug: theirs.slug } : ours, valuesOf(theirs)));
  }

  /** Milliseconds until the next try; longer each time. */
  nextDelay(): number {
    const delay = this.#delay;
    this.#delay = Math.min(delay * 2, retryMilliseconds.last);
    return delay;
  }

  resetDelay(): void {
    this.#delay = retryMilliseconds.first;
  }

  /** An answer came. */
  settle(): void {
    this.#creation = null;
    this.#updates = [];
    this.resetDelay();
  }
}
