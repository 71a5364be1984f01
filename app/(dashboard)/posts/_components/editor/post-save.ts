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

/** The request that saves a post, and what its response means for the editor. */

type PostSchema = typeof import('@/server/features/blog/blog-post.schema').updateBlogPostInput;

let schema: PostSchema | null = null;

/** Loads the server's validation rules. Without them nothing is checked here, and the server reports errors. */
export async function loadPostChecks(): Promise<void> {
  try {
    schema ??= (await import('@/server/features/blog/blog-post.schema')).updateBlogPostInput;
  } catch {
    // Without a connection nothing can be saved either.
  }
}

/** Values that the server refused, by path; they are not sent again until they change. */
export type RefusedFields = ReadonlyMap<string, { value: unknown; reason: string }>;

interface Editing {
  values: PostValues;
  /** True if the address is generated from the title, until someone edits it. */
  followsTitle: boolean;
  refused: RefusedFields;
}

/** The fields that can be sent, and the errors by path of the others; needs `loadPostChecks`. */
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
 * The changes to send for an existing post, and the invalid fields that have to wait. The server generates a new address from a
 * new title if none is given, so one that was edited, or that readers know, is sent along.
 */
export function planUpdate(post: BlogPostRecord, editing: Editing): { changes: Partial<PostValues>; waiting: FieldErrors } {
  const { sent, waiting } = check(editing, changesOf(valuesOf(post), editing));
  const changes = pickFields(editing.values, sent);
  if (changes.title !== undefined && !editing.followsTitle) changes.slug ??= post.slug;
  return { changes, waiting };
}

/** The values of a new post; null while an essential field is invalid. */
export function planCreate(editing: Editing): { changes: NewPost | null; waiting: FieldErrors } {
  const { sent, waiting } = check(editing, [...new Set([...essentialFields, ...changesOf(emptyPost, editing)])]);
  const isWhole = essentialFields.every((field) => sent.includes(field));
  return { changes: isWhole ? (pickFields(editing.values, sent) as NewPost) : null, waiting };
}

/**
 * The editor's values after the server has stored `submitted`: the response, except for what was typed since and for invalid
 * fields that were left out.
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

/** The refused values after another refusal. `isNew` says whether sending the rest is worth a try. */
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
 * How to handle a post that has another revision on the server than here:
 *
 * - `follow`: there are no unsaved changes; show the server's version.
 * - `rebase`: only its state changed (it was published, for example); apply the unsaved changes to it.
 * - `conflict`: both changed its content; the user decides.
 *
 * @param base the post that `mine` is based on
 */
export function reconcile(base: BlogPostRecord, mine: PostValues, theirs: BlogPostRecord): 'follow' | 'rebase' | 'conflict' {
  const [atFirst, there] = [valuesOf(base), valuesOf(theirs)];
  if (isSamePost(mine, there) || isSamePost(mine, atFirst)) return 'follow';
  return isSamePost(there, atFirst) ? 'rebase' : 'conflict';
}

/** The outcome is unknown: the server was not reached, is overloaded, or is still busy with the same save. */
export function isUnanswered(code: ErrorFacts['code']): boolean {
  return ['unreachable', 'unavailable', 'rate_limit_exceeded', 'idempotency_running'].includes(code);
}

const retryMilliseconds = { first: 2_000, last: 60_000 };

/** The maximum number of unanswered updates that are remembered. */
const updatesMaximum = 20;

/** Saves that may have succeeded although no response arrived, and when to retry. */
export class UnansweredSaves {
  #creation: { post: NewPost; values: PostValues } | null = null;
  #updates: readonly PostValues[] = [];
  #delay = retryMilliseconds.first;

  /**
   * The creation to send, with the editor's values. An unanswered one is resent unchanged, or the server would take it for
   * another post (docs/adr/0012).
   */
  creation(post: NewPost, values: PostValues) {
    this.#creation ??= { post, values };
    return this.#creation;
  }

  /** The server refused the creation. */
  dropCreation(): void {
    this.#creation = null;
  }

  /** The content of the post if this update succeeded. The earliest are the most likely to have, so those are kept. */
  addUpdate(values: PostValues): void {
    if (this.#updates.some((one) => isSamePost(one, values))) return;
    this.#updates = [...this.#updates.slice(0, updatesMaximum - 1), values];
  }

  /** Whether the server's version is one of our own updates. */
  includes(theirs: BlogPostRecord, followsTitle: boolean): boolean {
    return this.#updates.some((ours) => isSamePost(followsTitle ? { ...ours, slug: theirs.slug } : ours, valuesOf(theirs)));
  }

  /** Milliseconds until the next retry; increases each time. */
  nextDelay(): number {
    const delay = this.#delay;
    this.#delay = Math.min(delay * 2, retryMilliseconds.last);
    return delay;
  }

  resetDelay(): void {
    this.#delay = retryMilliseconds.first;
  }

  /** A response arrived. */
  settle(): void {
    this.#creation = null;
    this.#updates = [];
    this.resetDelay();
  }
}
