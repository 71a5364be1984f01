/**
 * Values that exist once in a process: the connection pool, the environment, caches.
 *
 * The process loads our code twice, from its own bundle and from that of Next.js, so a module-level variable would exist twice. These values
 * live in one map on `globalThis`.
 */
const mapKey = Symbol.for('frontdesk.process-globals');

function globals(): Map<string, unknown> {
  const holder = globalThis as { [mapKey]?: Map<string, unknown> };
  holder[mapKey] ??= new Map();
  return holder[mapKey];
}

/** The process-wide value under `name`, made by `create` on first use. */
export function oncePerProcess<T>(name: string, create: () => T): T {
  const entries = globals();
  if (!entries.has(name)) entries.set(name, create());
  return entries.get(name) as T;
}

/** Puts a value made elsewhere (at start-up) under `name`; a later call replaces it. */
export function setForProcess<T>(name: string, value: T): void {
  globals().set(name, value);
}

/** Removes the value under `name`, if any, and returns it; for shutdown and tests. */
export function takeFromProcess<T>(name: string): T | undefined {
  const entries = globals();
  const value = entries.get(name) as T | undefined;
  entries.delete(name);
  return value;
}
