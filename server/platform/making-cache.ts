import { LRUCache } from 'lru-cache';

interface MakingCacheOptions<Value> {
  /** In the unit of `sizeOf`. A value that is larger than an eighth of it is made, and not kept. */
  maximumSize: number;
  sizeOf: (value: Value) => number;
}

interface Kept<Value> {
  value: Value;
  /** By the clock of `performance.now()`, which no change of the machine's time moves. */
  until: number;
}

/** Keeps what was expensive to make, the least used first to go; what is being made is made once, however many ask for it. */
export class MakingCache<Value extends object> {
  readonly #kept: LRUCache<string, Kept<Value>>;
  readonly #underWay = new Map<string, Promise<Value>>();

  constructor({ maximumSize, sizeOf }: MakingCacheOptions<Value>) {
    this.#kept = new LRUCache({
      maxSize: maximumSize,
      maxEntrySize: Math.ceil(maximumSize / 8),
      sizeCalculation: ({ value }) => sizeOf(value),
    });
  }

  /**
   * The value under `key`; where there is none, what `make` gives.
   *
   * @param keepFor for how many milliseconds a value is good; for ever unless said otherwise, 0 for not at all
   */
  async get(
    key: string,
    make: () => Promise<Value>,
    keepFor: (value: Value) => number = () => Number.POSITIVE_INFINITY,
  ): Promise<Value> {
    const kept = this.#kept.get(key);
    if (kept && kept.until > performance.now()) return kept.value;
    const underWay = this.#underWay.get(key);
    if (underWay !== undefined) return underWay;
    const making = make();
    this.#underWay.set(key, making);
    try {
      const value = await making;
      const time = keepFor(value);
      if (time > 0) this.#kept.set(key, { value, until: performance.now() + time });
      return value;
    } finally {
      this.#underWay.delete(key);
    }
  }
}
