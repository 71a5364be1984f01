/** Characters of a new password. NIST SP 800-63B: length is what counts, no rules of composition. */
export const passwordMinimum = 12;

/** Bounds the cost of hashing. */
export const passwordMaximum = 200;
