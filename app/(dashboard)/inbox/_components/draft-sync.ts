import { type ErrorFacts, errorFacts } from '@/app/_kit/error-facts';

/** A draft as the server has it. */
export interface ServerDraft<Values> {
  id: string;
  revision: number;
  values: Values;
}

export interface DraftApi<Values> {
  /**
   * Saves a draft.
   * @param revision what it is based on; null for a new one
   * @returns its new revision
   */
  save(id: string, values: Values, revision: number | null): Promise<number>;
  /** What the server has in its place now. */
  load(): Promise<ServerDraft<Values> | null>;
  remove(id: string): Promise<unknown>;
}

/** `unsaved`: the server does not have it, and it is tried again. */
export type DraftState = 'saved' | 'saving' | 'unsaved';

/** Another device has changed the draft, or sent or deleted it. */
export type DraftClash<Values> = { kind: 'changed'; theirs: ServerDraft<Values> } | { kind: 'gone' };

interface DraftSyncOptions<Values> {
  api: DraftApi<Values>;
  /** What the server has. */
  server: ServerDraft<Values> | null;
  newId: () => string;
  isSame: (one: Values, other: Values) => boolean;
  onState: (state: DraftState) => void;
  onClash: (clash: DraftClash<Values> | null) => void;
  /** Another device's version takes the place of the form's; null if there is no draft any more. */
  onReplaced: (values: Values | null) => void;
}

const pauseMilliseconds = 1_500;
const retryMilliseconds = { first: 2_000, last: 60_000 };

/** Errors after which the draft may have been saved, or can be later. */
const temporary: readonly ErrorFacts['code'][] = [
  'unreachable',
  'unavailable',
  'rate_limit_exceeded',
  'idempotency_running',
  'internal_error',
];

/** Errors after which the server has another draft in this one's place. */
const displaced: readonly ErrorFacts['code'][] = ['precondition_failed', 'conflict', 'not_found'];

/**
 * Keeps the draft of one form on the server: saves it a moment after it was typed, one request after the other, and never over what
 * another device has saved.
 */
export class DraftSync<Values> {
  readonly #options: DraftSyncOptions<Values>;
  #server: ServerDraft<Values> | null;
  #id: string;
  /** What is in the form; null if nothing of it is to be kept. */
  #values: Values | null;
  /** What was sent without an answer. */
  #unanswered: Values | null = null;
  #clash: DraftClash<Values> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #delay = retryMilliseconds.first;
  #running: Promise<void> | null = null;
  /** More was typed until the form was left, so another save follows the one under way. */
  #isMoreToSave = false;
  #isOver = false;

  constructor(options: DraftSyncOptions<Values>) {
    this.#options = options;
    this.#server = options.server;
    this.#id = options.server?.id ?? options.newId();
    this.#values = options.server?.values ?? null;
  }

  /** The id of the draft, which the server may not have yet. */
  get id(): string {
    return this.#id;
  }

  /** The revision that the server is known to have; null if it has none. */
  get revision(): number | null {
    return this.#server?.revision ?? null;
  }

  /** What the server is known to have; null if it has no draft. */
  get saved(): Values | null {
    return this.#server?.values ?? null;
  }

  /** Takes over what is known of a draft that this device has kept. */
  resume(values: Values, id: string, revision: number | null): void {
    // What the server had when it was kept; what it has now may be another device's.
    this.#id = this.#server?.id ?? id;
    if (this.#server && this.#server.revision !== revision && !this.#options.isSame(this.#server.values, values)) {
      this.#values = values;
      this.#setClash({ kind: 'changed', theirs: this.#server });
      return;
    }
    this.touch(values);
  }

  /** The form is shown, perhaps again. */
  begin(): void {
    this.#isOver = false;
  }

  /** Called with what is in the form whenever it changes; null if nothing of it is to be kept. */
  touch(values: Values | null): void {
    this.#values = values;
    if (this.#isOver || this.#clash) return;
    if (this.#isDirty()) {
      this.#options.onState('unsaved');
      this.#schedule(pauseMilliseconds);
    } else if (this.#running === null) {
      // A change was taken back.
      this.#clearTimer();
      this.#options.onState('saved');
    }
  }

  /** The connection is back, or the page may be left. */
  saveNow = (): void => {
    this.#delay = retryMilliseconds.first;
    this.#start();
  };

  /** Stops saving, and waits for what is under way. @returns the id of the draft if the server has one */
  async settle(): Promise<string | undefined> {
    this.#clearTimer();
    while (this.#running !== null) await this.#running;
    this.#clearTimer();
    return this.#server?.id;
  }

  /** Deletes the draft, here and on the server. */
  discard(): void {
    this.#setClash(null);
    this.touch(null);
    this.saveNow();
  }

  /** The draft was sent: the server has deleted it. A form that goes on begins another one. */
  forget(): void {
    this.#clearTimer();
    this.#server = null;
    this.#values = null;
    this.#id = this.#options.newId();
    this.#setClash(null);
  }

  /** The form is left: what a last attempt does not save stays on this device. */
  end(): void {
    this.saveNow();
    this.#isOver = true;
  }

  /** The draft was fetched again. */
  receive(theirs: ServerDraft<Values> | null): void {
    if (this.#running || this.#clash || this.#isOver) return;
    // It may have been asked for before the last save was.
    if (theirs === null && this.#server) this.#run(() => this.#meet());
    else if (theirs && theirs.revision > (theirs.id === this.#server?.id ? this.#server.revision : 0)) this.#compare(theirs);
  }

  /** Resolves a clash with what is in the form. */
  keepMine(): void {
    if (this.#clash?.kind === 'changed') this.#adopt(this.#clash.theirs);
    else this.#adopt(null);
    this.#setClash(null);
    this.saveNow();
  }

  /** Resolves a clash with the other device's version. */
  takeTheirs(): void {
    this.#follow(this.#clash?.kind === 'changed' ? this.#clash.theirs : null);
    this.#setClash(null);
  }

  #isDirty(): boolean {
    if (this.#values === null) return this.#server !== null;
    return this.#server === null || !this.#options.isSame(this.#values, this.#server.values);
  }

  #adopt(theirs: ServerDraft<Values> | null): void {
    this.#server = theirs;
    this.#id = theirs?.id ?? this.#options.newId();
  }

  #follow(theirs: ServerDraft<Values> | null): void {
    this.#adopt(theirs);
    this.#values = theirs?.values ?? null;
    this.#options.onReplaced(this.#values);
    this.#options.onState('saved');
  }

  #setClash(clash: DraftClash<Values> | null): void {
    if (clash === this.#clash) return;
    this.#clash = clash;
    this.#options.onClash(clash);
  }

  #schedule(milliseconds: number): void {
    if (this.#isOver) return;
    this.#timer ??= setTimeout(() => this.#start(), milliseconds);
  }

  #clearTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #start(): void {
    this.#clearTimer();
    if (this.#running || this.#clash || !this.#isDirty()) return;
    this.#run(() => this.#save());
  }

  #run(work: () => Promise<void>): void {
    this.#running = work().finally(() => {
      this.#running = null;
      if (!this.#isMoreToSave) return;
      this.#isMoreToSave = false;
      this.#start();
    });
  }

  async #save(): Promise<void> {
    const values = this.#values;
    const { api, onState } = this.#options;
    onState('saving');
    try {
      if (values === null) {
        await api.remove(this.#id);
        this.#adopt(null);
      } else {
        const revision = await api.save(this.#id, values, this.revision);
        this.#server = { id: this.#id, revision, values };
      }
      this.#unanswered = null;
      this.#delay = retryMilliseconds.first;
      this.#goOn();
    } catch (error) {
      await this.#fail(errorFacts(error).code, values);
    }
  }

  /** Saves what was typed since. */
  #goOn(): void {
    if (!this.#isDirty()) this.#options.onState('saved');
    else if (this.#isOver) this.#isMoreToSave = true;
    else this.#schedule(pauseMilliseconds);
  }

  async #fail(code: ErrorFacts['code'], sent: Values | null): Promise<void> {
    if (sent === null && code === 'not_found') {
      this.#adopt(null);
      return this.#goOn();
    }
    this.#options.onState('unsaved');
    if (temporary.includes(code)) {
      this.#unanswered = sent;
      this.#retryLater();
    } else if (displaced.includes(code)) {
      await this.#meet();
    }
    // Anything else is refused until it is changed.
  }

  #retryLater(): void {
    this.#schedule(this.#delay);
    this.#delay = Math.min(this.#delay * 2, retryMilliseconds.last);
  }

  /** Compares with what the server has now. */
  async #meet(): Promise<void> {
    let theirs: ServerDraft<Values> | null;
    try {
      theirs = await this.#options.api.load();
    } catch (error) {
      if (temporary.includes(errorFacts(error).code)) this.#retryLater();
      return;
    }
    if (theirs) return this.#compare(theirs);
    // Nothing is in its place, so it was refused for another reason.
    if (this.#server === null) return;
    if (this.#isDirty() && this.#values !== null) this.#setClash({ kind: 'gone' });
    else this.#follow(null);
  }

  #compare(theirs: ServerDraft<Values>): void {
    const { isSame } = this.#options;
    const [mine, sent] = [this.#values, this.#unanswered];
    const isMine = (values: Values | null) => values !== null && isSame(values, theirs.values);
    if (isMine(mine) || isMine(sent)) {
      this.#unanswered = null;
      this.#adopt(theirs);
      this.#goOn();
    } else if (this.#isDirty() && mine !== null) {
      this.#setClash({ kind: 'changed', theirs });
    } else {
      this.#follow(theirs);
    }
  }
}
