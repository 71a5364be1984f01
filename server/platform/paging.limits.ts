/** The largest offset of a list; what lies deeper is reached by a cursor, which costs the same at any depth. */
export const offsetMaximum = 100_000;
