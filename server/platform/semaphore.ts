/** The queue is full, or the wait was too long. A later attempt may succeed. */
export class QueueFull extends Error {
  override name = 'QueueFull';
}

interface SemaphoreOptions {
  /** Maximum concurrency. */
  permits: number;
  /** Maximum permits per owner; all by default, and for work without an owner. */
  permitsPerOwner?: number;
  /** Maximum waiting requests, in all and per owner. */
  queued: number;
  queuedPerOwner?: number;
  /** Longest wait, in milliseconds; unlimited by default. */
  maxWait?: number;
}

interface Request {
  /** Used for fairness: work of one owner delays another by at most one run. */
  owner?: string;
  /** Number of permits it takes, at most `permits`; 1 by default. */
  weight?: number;
}

interface Queued {
  owner: string;
  weight: number;
  begin: () => void;
  refuse: (error: QueueFull) => void;
}

/**
 * A weighted semaphore with a bounded queue that is fair to owners: the owner with the least running work is next, with its
 * oldest request. A request for more permits than are free blocks the queue, so that it can't starve. p-limit and async-sema
 * have neither owners, weights nor a bounded queue.
 */
export class Semaphore {
  readonly #options: Required<SemaphoreOptions>;
  readonly #queue: Queued[] = [];
  readonly #taken = new Map<string, number>();
  #free: number;

  constructor(options: SemaphoreOptions) {
    const { permits, queued } = options;
    this.#options = { permitsPerOwner: permits, queuedPerOwner: queued, maxWait: Number.POSITIVE_INFINITY, ...options };
    this.#free = permits;
  }

  /**
   * Runs `work` once permits are free. `work` must not wait for further permits.
   * @returns the result of `work`, or throws its error
   * @throws QueueFull if the queue is full, or the wait too long
   */
  async run<T>(request: Request, work: () => Promise<T>): Promise<T> {
    const leave = await new Promise<() => void>((resolve, reject) => this.enter(request, resolve, reject));
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /**
   * Calls `begin` once permits are free, at once if they are; or `refuse` with QueueFull. `begin` gets a function that returns
   * the permits; calling it again does nothing.
   */
  enter({ owner = '', weight = 1 }: Request, begin: (leave: () => void) => void, refuse: (error: QueueFull) => void): void {
    const { queued, queuedPerOwner, maxWait } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const own: Queued = {
      owner,
      weight,
      begin: () => {
        clearTimeout(timer);
        begin(this.#leaveOnce(owner, weight));
      },
      refuse: (error) => {
        clearTimeout(timer);
        refuse(error);
      },
    };
    this.#queue.push(own);
    this.#advance();
    if (!this.#queue.includes(own)) return;
    const ofOwner = this.#queue.filter((other) => other.owner === owner).length;
    if (this.#queue.length > queued || ofOwner > queuedPerOwner) this.#cancel(own, 'the queue is full');
    else if (Number.isFinite(maxWait)) timer = setTimeout(() => this.#cancel(own, 'waited too long'), maxWait);
  }

  /** Permits in use, and number of waiting requests. */
  load(): { running: number; waiting: number } {
    return { running: this.#options.permits - this.#free, waiting: this.#queue.length };
  }

  /** True if somebody waits for permits that work of this owner may hold: for those of the owner, or for any. */
  isWanted(owner: string): boolean {
    const next = this.#next();
    return this.#queue.some((queued) => queued.owner === owner) || (next !== undefined && next.weight > this.#free);
  }

  /** Rejects all waiting requests. */
  clear(): void {
    for (const { refuse } of this.#queue.splice(0)) refuse(new QueueFull('closed'));
  }

  #leaveOnce(owner: string, weight: number): () => void {
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      this.#take(owner, -weight);
      this.#advance();
    };
  }

  #cancel(queued: Queued, reason: string): void {
    this.#queue.splice(this.#queue.indexOf(queued), 1);
    queued.refuse(new QueueFull(reason));
    this.#advance();
  }

  #take(owner: string, weight: number): void {
    const taken = (this.#taken.get(owner) ?? 0) + weight;
    if (taken === 0) this.#taken.delete(owner);
    else this.#taken.set(owner, taken);
    this.#free -= weight;
  }

  #next(): Queued | undefined {
    const { permits, permitsPerOwner } = this.#options;
    let next: Queued | undefined;
    for (const candidate of this.#queue) {
      const taken = this.#taken.get(candidate.owner) ?? 0;
      if (candidate.owner !== '' && permitsPerOwner < permits && taken > 0 && taken + candidate.weight > permitsPerOwner)
        continue;
      if (!next || taken < (this.#taken.get(next.owner) ?? 0)) next = candidate;
    }
    return next;
  }

  #advance(): void {
    for (let next = this.#next(); next && next.weight <= this.#free; next = this.#next()) {
      this.#queue.splice(this.#queue.indexOf(next), 1);
      this.#take(next.owner, next.weight);
      next.begin();
    }
  }
}
