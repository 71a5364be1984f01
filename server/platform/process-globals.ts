/**
 * Process-wide values: the connection pool, the environment, caches.
 * The process loads our code twice, from its own bundle and from Next.js' bundle, so a module-level variable would exist twice.
 * These values are in one map on `globalThis`.
 */
const mapKey = Symbol.for('frontdesk.process-globals');

function globals(): Map<string, unknown> {
  const holder = globalThis as { [mapKey]?: Map<string, unknown> };
  holder[mapKey] ??= new Map();
  return holder[mapKey];
}

/** The process-wide value of `name`, created by `create` on first use. */
export function oncePerProcess<T>(name: string, create: () => T): T {
  const entries = globals();
  if (!entries.has(name)) entries.set(name, create());
  return entries.get(name) as T;
}

/** Sets the value of `name` (at start-up), replacing an existing one. */
export function setForProcess<T>(name: string, value: T): void {
  globals().set(name, value);
}

/** Removes and returns the value of `name`, if any; for shutdown and tests. */
export function takeFromProcess<T>(name: string): T | undefined {
  const entries = globals();
  const value = entries.get(name) as T | undefined;
  entries.delete(name);
  return value;
}

/** Removes all values but those of these names, as in a new process; for tests. */
export function forgetProcess(kept: readonly string[] = []): void {
  for (const name of globals().keys()) if (!kept.includes(name)) globals().delete(name);
}

/** Runs `work` with values of its own, as in another process; for tests. Nothing else of this process may run meanwhile. */
export async function withFreshProcess<T>(work: () => Promise<T>): Promise<T> {
  const own = globals();
  const holder = globalThis as { [mapKey]?: Map<string, unknown> };
  holder[mapKey] = new Map();
  try {
    return await work();
  } finally {
    holder[mapKey] = own;
  }
}
