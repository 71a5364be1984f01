/** Limits that the browser knows, too. */

/** Characters of a signature at most. */
export const signatureMaximum = 2_000;
