/** The line is full, or somebody has waited too long. Whoever asks again later may find it shorter. */
export class TooManyWait extends Error {
  override name = 'TooManyWait';
}

interface TurnstileOptions {
  /** What may be taken at the same time, in all. */
  places: number;
  /** Of that by one owner; all of it unless said otherwise. */
  placesPerOwner?: number;
  /** Who may stand in line, in all and of one owner. */
  waiting: number;
  waitingPerOwner?: number;
  /** Milliseconds that one may wait; for ever unless said otherwise. */
  waitTime?: number;
}

interface Turn {
  /** On whose behalf: nobody gets in the way of another owner's work for longer than one turn takes. */
  owner?: string;
  /** How many places it takes; 1 unless said otherwise. It may not be more than there are. */
  weight?: number;
}

interface Waiting {
  owner: string;
  weight: number;
  begin: () => void;
  refuse: (error: TooManyWait) => void;
}

/**
 * Lets so much work be done at once and so much wait. The next one is of the owner that has least under way; of these, the first that came.
 * One that needs more places than are free holds up those behind it, so that it gets its turn.
 */
export class Turnstile {
  readonly #options: Required<TurnstileOptions>;
  readonly #line: Waiting[] = [];
  readonly #taken = new Map<string, number>();
  #free: number;

  constructor(options: TurnstileOptions) {
    const { places, waiting } = options;
    this.#options = { placesPerOwner: places, waitingPerOwner: waiting, waitTime: Number.POSITIVE_INFINITY, ...options };
    this.#free = places;
  }

  /**
   * Does `work` when it is its turn. It must not wait for another turn inside.
   *
   * @returns what `work` returns, or throws what it throws
   * @throws TooManyWait where the line is too long, or was for too long
   */
  async run<T>({ owner = '', weight = 1 }: Turn, work: () => Promise<T>): Promise<T> {
    await this.#begin(owner, weight);
    try {
      return await work();
    } finally {
      this.#take(owner, -weight);
      this.#advance();
    }
  }

  /** Places taken, and how many wait. */
  load(): { running: number; waiting: number } {
    return { running: this.#options.places - this.#free, waiting: this.#line.length };
  }

  /** Sends away all who wait. */
  clear(): void {
    for (const { refuse } of this.#line.splice(0)) refuse(new TooManyWait('closed'));
  }

  #begin(owner: string, weight: number): Promise<void> {
    const { waiting, waitingPerOwner, waitTime } = this.#options;
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const own: Waiting = {
        owner,
        weight,
        begin: () => {
          clearTimeout(timer);
          resolve();
        },
        refuse: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      this.#line.push(own);
      this.#advance();
      if (!this.#line.includes(own)) return;
      const ofOwner = this.#line.filter((other) => other.owner === owner).length;
      if (this.#line.length > waiting || ofOwner > waitingPerOwner) this.#leave(own, 'too many wait');
      else if (Number.isFinite(waitTime)) timer = setTimeout(() => this.#leave(own, 'waited too long'), waitTime);
    });
  }

  #leave(waiting: Waiting, reason: string): void {
    this.#line.splice(this.#line.indexOf(waiting), 1);
    waiting.refuse(new TooManyWait(reason));
    this.#advance();
  }

  #take(owner: string, weight: number): void {
    const taken = (this.#taken.get(owner) ?? 0) + weight;
    if (taken === 0) this.#taken.delete(owner);
    else this.#taken.set(owner, taken);
    this.#free -= weight;
  }

  #next(): Waiting | undefined {
    const { places, placesPerOwner } = this.#options;
    let next: Waiting | undefined;
    for (const candidate of this.#line) {
      const taken = this.#taken.get(candidate.owner) ?? 0;
      if (placesPerOwner < places && taken > 0 && taken + candidate.weight > placesPerOwner) continue;
      if (!next || taken < (this.#taken.get(next.owner) ?? 0)) next = candidate;
    }
    return next;
  }

  #advance(): void {
    for (let next = this.#next(); next && next.weight <= this.#free; next = this.#next()) {
      this.#line.splice(this.#line.indexOf(next), 1);
      this.#take(next.owner, next.weight);
      next.begin();
    }
  }
}
