/** The default export of a CommonJS module: bundlers return it directly, Node returns the whole module. */
export function defaultOf<T extends object>(imported: T): T {
  return 'default' in imported ? (imported.default as T) : imported;
}
