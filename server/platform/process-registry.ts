/**
 * What must exist once in a process: the connection pool, the environment, caches.
 *
 * The process loads our code twice, once from its own bundle and once inside Next.js' bundle, so a module-level variable
 * would exist twice as well. Everything that must not hangs on this one registry on `globalThis`.
 */
const registryKey = Symbol.for('frontdesk.process-registry');

type Registry = Map<string, unknown>;

function registry(): Registry {
  const holder = globalThis as { [registryKey]?: Registry };
  holder[registryKey] ??= new Map();
  return holder[registryKey];
}

/** The process-wide value under `name`, made by `create` on first use. */
export function oncePerProcess<T>(name: string, create: () => T): T {
  const entries = registry();
  if (!entries.has(name)) entries.set(name, create());
  return entries.get(name) as T;
}

/** Puts a value made elsewhere (at start-up) under `name`; a later call replaces it. */
export function setForProcess<T>(name: string, value: T): void {
  registry().set(name, value);
}

/** Removes the value under `name`, if any, and returns it; used at shutdown and between tests. */
export function takeFromProcess<T>(name: string): T | undefined {
  const entries = registry();
  const value = entries.get(name) as T | undefined;
  entries.delete(name);
  return value;
}
