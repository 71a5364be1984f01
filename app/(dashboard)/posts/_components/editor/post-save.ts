import type { ErrorFacts } from '@/app/_kit/error-facts';
import type { BlogPostRecord } from '@/server/features/blog/blog-post.schema';
import type { FieldErrors } from '@/server/platform/errors';
import {
  changedFields,
  emptyPost,
  essentialFields,
  fieldOfPath,
  isSamePost,
  type NewPost,
  type PostField,
  type PostValues,
  pickFields,
  valuesOf,
} from './post-values';
import type { PostView } from './post-view';

/** What a save of a post sends, and what its answer means for the editor. */

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

/** Values that the server refused, by path; they are not sent again until they are others. */
export type RefusedFields = ReadonlyMap<string, { value: unknown; reason: string }>;

interface Editing {
  values: PostValues;
  /** True where the address is made from the title, until somebody writes one. */
  followsTitle: boolean;
  refused: RefusedFields;
}

/** Which of these fields can be sent, and the reasons by path why the others can't; once `loadPostChecks` has come through. */
function check({ values, refused }: Editing, fields: readonly PostField[]): { sent: PostField[]; waiting: FieldErrors } {
  const waiting: FieldErrors = {};
  for (const field of fields) {
    const issue = schema?.shape[field].safeParse(values[field]).error?.issues[0];
    if (issue) waiting[[field, ...issue.path.map(String)].join('.')] = issue.message;
  }
  for (const [path, { value, reason }] of refused) {
    const field = fieldOfPath(path);
    if (field && fields.includes(field) && values[field] === value) waiting[path] ??= reason;
  }
  const held = new Set(Object.keys(waiting).map(fieldOfPath));
  return { sent: fields.filter((field) => !held.has(field)), waiting };
}

const changesOf = (before: PostValues, { values, followsTitle }: Editing) =>
  changedFields(before, values).filter((field) => field !== 'slug' || !followsTitle);

/**
 * The changes to send for a post that exists, and what has to wait because it can't be saved as it is. The server makes a new address
 * of a new title where none is given, so one that somebody wrote, or that readers know, is given along.
 */
export function planUpdate(post: BlogPostRecord, editing: Editing): { changes: Partial<PostValues>; waiting: FieldErrors } {
  const { sent, waiting } = check(editing, changesOf(valuesOf(post), editing));
  const changes = pickFields(editing.values, sent);
  if (changes.title !== undefined && !editing.followsTitle) changes.slug ??= post.slug;
  return { changes, waiting };
}

/** What a new post is created with; null while an essential field can't be saved. */
export function planCreate(editing: Editing): { changes: NewPost | null; waiting: FieldErrors } {
  const { sent, waiting } = check(editing, [...new Set([...essentialFields, ...changesOf(emptyPost, editing)])]);
  const isWhole = essentialFields.every((field) => sent.includes(field));
  return { changes: isWhole ? (pickFields(editing.values, sent) as NewPost) : null, waiting };
}

/**
 * What the editor shows once the server has taken `submitted`: its own answer, but for what was typed since, and for what was left out
 * because it can't be saved as it is.
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
export function refusedAfter(before: RefusedFields, fields: FieldErrors, values: PostValues) {
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

/**
 * What to do about a post that is at another revision on the server than here:
 *
 * - `follow`: nothing is typed here that the server does not have; show the server's.
 * - `rebase`: only its state changed there (it was published, say); what is typed here goes on top.
 * - `conflict`: both changed what it says; a person decides.
 *
 * @param base the post as it was when `mine` was begun
 */
export function reconcile(base: BlogPostRecord, mine: PostValues, theirs: BlogPostRecord): 'follow' | 'rebase' | 'conflict' {
  const [atFirst, there] = [valuesOf(base), valuesOf(theirs)];
  if (isSamePost(mine, there) || isSamePost(mine, atFirst)) return 'follow';
  return isSamePost(there, atFirst) ? 'rebase' : 'conflict';
}

/** The server was not reached, is overloaded, or is still busy with the same save: the outcome is unknown. */
export function isUnanswered(code: ErrorFacts['code']): boolean {
  return ['unreachable', 'unavailable', 'rate_limit_exceeded', 'idempotency_running'].includes(code);
}

const retryMilliseconds = { first: 2_000, last: 60_000 };

/** The most updates without an answer that are remembered. */
const mostUpdates = 20;

/** Saves that may have got through although no answer came, and when to try again. */
export class UnansweredSaves {
  #creation: { post: NewPost; values: PostValues } | null = null;
  #updates: readonly PostValues[] = [];
  #delay = retryMilliseconds.first;

  /**
   * The creation to send, with all that was in the editor: one that is not answered yet goes out as it was, or the server would take it
   * for another post (docs/adr/0012).
   */
  creation(post: NewPost, values: PostValues) {
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
