import { DraftKeeper, removeDraft } from '@/app/_kit/draft-store';
import { errorFacts } from '@/app/_kit/error-facts';
import type { BlogPostRecord } from '@/server/features/blog/blog-post.schema';
import { loadPostDraft, type PostDraft, postDraftKey } from './post-draft';
import {
  isUnanswered,
  loadPostChecks,
  planCreate,
  planUpdate,
  type RefusedFields,
  reconcile,
  refusedAfter,
  settledValues,
  UnansweredSaves,
} from './post-save';
import { changedFields, isSamePost, type NewPost, type PostValues, pickFields, valuesOf, withoutFields } from './post-values';
import { firstView, isAutosaved, type PostView, type SessionOptions, savedValues } from './post-view';

const autosaveMilliseconds = 1_500;

/**
 * One post in an editor: the typed values, their draft in this browser, and their state on the server.
 *
 * Every change is stored in this browser. A draft is saved a moment after typing stops, a published post only when `save` is
 * called. Each save names the revision it is based on, so that edits by others are never overwritten unnoticed (see
 * `reconcile`).
 */
export class PostSession {
  readonly #options: SessionOptions;
  readonly #keeper = new DraftKeeper(
    // Not if another editor may be storing this post's draft by now.
    () => (this.#isOver || (this.#isAway && this.#view.isDirty) ? null : this.draftKey()),
    () => this.#draft(),
    (isKept) => {
      if (isKept !== this.#view.isKept) this.#set({ isKept });
    },
  );
  #view: PostView;
  readonly #listeners = new Set<() => void>();
  #refused: RefusedFields = new Map();
  readonly #unanswered = new UnansweredSaves();
  #running: Promise<boolean> | null = null;
  #saveTimer: ReturnType<typeof setTimeout> | undefined;
  #isAway = false;
  #isOver = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    const key = postDraftKey(options.scope, options.post?.id ?? null);
    this.#view = firstView(options, loadPostDraft(key));
    if (!this.#view.isRestored) removeDraft(key);
  }

  view = (): PostView => this.#view;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Called when the editor is shown. A restored draft is saved like typed changes. */
  start(): void {
    this.#isAway = false;
    if (this.#view.isDirty) this.#scheduleSave();
  }

  /**
   * Called when the editor is left. What a last attempt does not save stays in this browser, for the next editor of this post.
   */
  stop(): void {
    this.keepNow();
    this.saveSoon();
    this.#isAway = true;
    clearTimeout(this.#saveTimer);
  }

  #set(changes: Partial<PostView>): void {
    const next = { ...this.#view, ...changes };
    this.#view = { ...next, isDirty: !isSamePost(savedValues(next.post, this.#options.initial), next.values) };
    for (const listener of this.#listeners) listener();
  }

  draftKey = (): string => postDraftKey(this.#options.scope, this.#view.post?.id ?? null);

  #draft(): PostDraft | null {
    const { values, post, followsTitle, isDirty } = this.#view;
    return isDirty ? { values, followsTitle, revision: post?.revision ?? 0 } : null;
  }

  /** Applies typed values. An edited address stays; an emptied one follows the title again. */
  change(changes: Partial<PostValues>): void {
    const { post, values: before, followsTitle: followed, fieldErrors } = this.#view;
    const values = { ...before, ...changes };
    const typed = changedFields(before, values);
    if (typed.length === 0) return;
    const followsTitle = typed.includes('slug') ? post?.status !== 'published' && values.slug === '' : followed;
    this.#set({ values, followsTitle, fieldErrors: withoutFields(fieldErrors, typed) });
    this.#keeper.touch();
    this.#scheduleSave();
  }

  /** Replaces the editor's values, with another version or by an undo. */
  replace(values: PostValues): void {
    this.#set({ values, generation: this.#view.generation + 1, fieldErrors: {} });
    this.keepNow();
    this.#scheduleSave();
  }

  /** Reverts to the server's version. @returns the previous values of the editor */
  revert(): PostValues {
    const { values, post } = this.#view;
    this.#set({ isRestored: false, failure: null });
    this.replace(savedValues(post, this.#options.initial));
    return values;
  }

  /** Stores unsaved changes in this browser, or deletes a saved draft. */
  keepNow = (): void => this.#keeper.keep();

  /** Another tab overwrote this one's draft (true), or removed it (false). */
  onDraftReplaced(isThere: boolean): void {
    if (!this.#view.isDirty) return;
    if (isThere) this.#set({ isKept: false });
    else this.keepNow();
  }

  #scheduleSave(delay = autosaveMilliseconds): void {
    clearTimeout(this.#saveTimer);
    const { conflict, isGone } = this.#view;
    if (this.#isOver || this.#isAway || conflict || isGone) return;
    this.#saveTimer = setTimeout(this.saveSoon, delay);
  }

  /** Saves immediately what would be saved automatically a little later. */
  saveSoon = (): void => {
    if (this.#view.isDirty && isAutosaved(this.#view)) void this.save({ isAsked: false });
  };

  /**
   * Saves all valid fields.
   *
   * @param isAsked false for an automatic save, so that a post that was only begun shows no errors
   * @returns whether the server has all of the editor's values
   */
  async save({ isAsked = true } = {}): Promise<boolean> {
    clearTimeout(this.#saveTimer);
    // Saves run in sequence: each is based on the revision of the previous one.
    while (this.#running !== null) await this.#running;
    const { conflict, isGone } = this.#view;
    if (this.#isOver || conflict || isGone || !(isAsked || isAutosaved(this.#view))) return false;
    this.#running = this.#saveNow(isAsked).finally(() => {
      this.#running = null;
      this.#set({ isSaving: false });
      this.keepNow();
    });
    return this.#running;
  }

  async #saveNow(isAsked: boolean): Promise<boolean> {
    // The values at this moment; what is typed while the rules are loading waits for the next save.
    const { post, values, followsTitle } = this.#view;
    await loadPostChecks();
    const editing = { values, followsTitle, refused: this.#refused };
    const plan = post ? planUpdate(post, editing) : planCreate(editing);
    const isBegun = post !== null || isAsked;
    this.#set({ fieldErrors: isBegun ? plan.waiting : {} });
    const { changes } = plan;
    if (changes === null) return false;
    if (post && Object.keys(changes).length === 0) {
      // An emptied address stays as it is until the title changes.
      if (followsTitle) this.#set({ values: { ...values, slug: post.slug } });
      return Object.keys(plan.waiting).length === 0;
    }
    this.#set({ isSaving: true });
    try {
      const { api } = this.#options;
      if (post) this.#settle(await api.update(post.id, changes, post.revision), values);
      else {
        const creation = this.#unanswered.creation(changes as NewPost, values);
        this.#settle(await api.create(creation.post), creation.values);
      }
      return !this.#view.isDirty;
    } catch (error) {
      return this.#fail(error, post, changes, isAsked);
    }
  }

  /** The server stored `submitted`; what was typed since stays. */
  #settle(stored: BlogPostRecord, submitted: PostValues): void {
    if (!this.#view.post) removeDraft(this.draftKey());
    const typedSince = changedFields(submitted, this.#view.values).length > 0;
    this.#unanswered.settle();
    const values = settledValues(this.#view, submitted, stored);
    this.#set({ post: stored, values, failure: null, isRestored: false });
    this.#options.onStored(stored);
    if (typedSince) this.#scheduleSave();
  }

  async #fail(error: unknown, post: BlogPostRecord | null, changes: Partial<PostValues>, isAsked: boolean): Promise<boolean> {
    const { code, message, requestId, fields } = errorFacts(error);
    const isUnreachable = isUnanswered(code);
    // A server error may be temporary; a refusal is not.
    const isOpen = isUnreachable || code === 'internal_error';
    if (!isOpen) this.#unanswered.dropCreation();
    if (post && code === 'precondition_failed') return this.#handleOtherRevision(post, isAsked);
    if (Object.keys(fields).length > 0) return this.#refuse(fields, isAsked);
    const isGone = post !== null && code === 'not_found';
    if (isUnreachable && post) this.#unanswered.addUpdate({ ...valuesOf(post), ...changes });
    this.#set({ isGone, failure: isGone ? null : { message, requestId, isUnreachable } });
    if (isOpen) this.#scheduleSave(this.#unanswered.nextDelay());
    return false;
  }

  /** The server refused some fields; everything else is saved without them. */
  async #refuse(fields: Record<string, string>, isAsked: boolean): Promise<boolean> {
    const { refused, isNew } = refusedAfter(this.#refused, fields, this.#view.values);
    this.#refused = refused;
    if (isNew) return this.#saveNow(isAsked);
    // No field of the editor can show these.
    const reasons = Object.entries(fields).map(([path, reason]) => `${path} ${reason}`);
    this.#set({ failure: { message: `${reasons.join('; ')}.`, requestId: undefined, isUnreachable: false } });
    return false;
  }

  /** The post has another revision than this editor knows. */
  async #handleOtherRevision(post: BlogPostRecord, isAsked: boolean): Promise<boolean> {
    let theirs: BlogPostRecord;
    try {
      theirs = await this.#options.api.get(post.id);
    } catch (error) {
      return this.#fail(error, post, {}, isAsked);
    }
    this.#meet(theirs);
    if (this.#view.conflict) return false;
    if (!this.#view.isDirty) return true;
    // It may have been published elsewhere, so that it is saved only on request.
    return isAsked || isAutosaved(this.#view) ? this.#saveNow(isAsked) : false;
  }

  #meet(theirs: BlogPostRecord): void {
    const { post, values, generation, followsTitle } = this.#view;
    if (!post) return;
    const decision = this.#unanswered.includes(theirs, followsTitle) ? 'rebase' : reconcile(post, values, theirs);
    if (decision === 'conflict') this.#set({ conflict: theirs, failure: null });
    else if (decision === 'rebase')
      this.#set({ post: theirs, ...(followsTitle ? { values: { ...values, slug: theirs.slug } } : {}) });
    else this.#set({ post: theirs, values: valuesOf(theirs), generation: generation + 1, fieldErrors: {}, failure: null });
    this.#options.onStored(theirs);
    if (this.#view.isDirty) this.#scheduleSave();
  }

  /** The post was refetched: an editor without changes follows, any other gets a conflict before it saves. */
  receive(theirs: BlogPostRecord): void {
    const { post, conflict } = this.#view;
    if (!post || this.#running !== null || this.#isOver || theirs.revision <= (conflict ?? post).revision) return;
    if (conflict) this.#set({ conflict: theirs });
    else this.#meet(theirs);
  }

  /** The post was refetched, and no longer exists. */
  receiveDeletion(): void {
    if (this.#view.post && !this.#isOver && this.#running === null) this.#set({ isGone: true });
  }

  /** Takes over the response to a change of the post's state, such as publishing it. */
  adopt(stored: BlogPostRecord): void {
    const { post, values } = this.#view;
    const mine = post ? changedFields(valuesOf(post), values) : [];
    this.#set({ post: stored, values: { ...valuesOf(stored), ...pickFields(values, mine) } });
    this.keepNow();
    this.#options.onStored(stored);
  }

  /** Resolves a conflict with the editor's values; the other version is overwritten. */
  keepMine(): Promise<boolean> {
    const { conflict, values, followsTitle } = this.#view;
    if (!conflict) return Promise.resolve(false);
    this.#set({ post: conflict, conflict: null, ...(followsTitle ? { values: { ...values, slug: conflict.slug } } : {}) });
    return this.save();
  }

  /** Resolves a conflict with the other version. @returns the previous values of the editor */
  takeTheirs(): PostValues {
    const { conflict, values } = this.#view;
    if (conflict) {
      this.#set({ post: conflict, conflict: null, isRestored: false });
      this.replace(valuesOf(conflict));
    }
    return values;
  }

  /** After the post was deleted elsewhere: creates a new one from the editor's values. */
  saveAsNew(): Promise<boolean> {
    removeDraft(this.draftKey());
    this.#set({ post: null, isGone: false });
    return this.save();
  }

  /** The connection is back. */
  retryNow = (): void => {
    this.#unanswered.resetDelay();
    if (this.#view.failure?.isUnreachable) this.saveSoon();
  };

  /** The post is deleted here: nothing is stored or saved after this. */
  end(): void {
    this.#keeper.forget();
    this.#isOver = true;
    clearTimeout(this.#saveTimer);
  }
}
