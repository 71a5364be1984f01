/** The default export of a CommonJS module: bundlers give it as it is, Node gives the module as a whole. */
export function defaultOf<T extends object>(imported: T): T {
  return 'default' in imported ? (imported.default as T) : imported;
}
