import { LRUCache } from 'lru-cache';

interface LoadingCacheOptions<Value> {
  /** In the unit of `sizeOf`. Values larger than an eighth of it are not cached. */
  maximumSize: number;
  sizeOf: (value: Value) => number;
}

interface Entry<Value> {
  value: Value;
  /** By `performance.now()`, which is independent of the system time. */
  until: number;
}

/**
 * An LRU cache for expensive loads; concurrent callers share one load.
 * lru-cache's own `fetch` is not used: it evicts loads in flight, which then run twice, and treats a lifetime of 0 as
 * unlimited.
 */
export class LoadingCache<Value extends object> {
  readonly #kept: LRUCache<string, Entry<Value>>;
  readonly #loading = new Map<string, Promise<Value>>();

  constructor({ maximumSize, sizeOf }: LoadingCacheOptions<Value>) {
    this.#kept = new LRUCache({
      maxSize: maximumSize,
      maxEntrySize: Math.ceil(maximumSize / 8),
      sizeCalculation: ({ value }) => sizeOf(value),
    });
  }

  /**
   * The value of `key`, loaded if missing or expired. A failed load is not cached.
   * @param keepFor lifetime of the value in milliseconds; unlimited by default, 0 to not cache it
   */
  async get(
    key: string,
    load: () => Promise<Value>,
    keepFor: (value: Value) => number = () => Number.POSITIVE_INFINITY,
  ): Promise<Value> {
    const kept = this.#kept.get(key);
    if (kept && kept.until > performance.now()) return kept.value;
    const pending = this.#loading.get(key);
    if (pending !== undefined) return pending;
    const loading = load();
    this.#loading.set(key, loading);
    try {
      const value = await loading;
      const time = keepFor(value);
      if (time > 0) this.#kept.set(key, { value, until: performance.now() + time });
      return value;
    } finally {
      this.#loading.delete(key);
    }
  }
}
