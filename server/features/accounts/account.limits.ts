/** Minimum length of a new password, in characters. NIST SP 800-63B: length counts, no composition rules. */
export const passwordMinimum = 12;

/** In characters; bounds the cost of hashing. */
export const passwordMaximum = 200;

/** Maximum size of an uploaded photo, in bytes. */
export const photoMaximumBytes = 5 * 1024 * 1024;

/** Seconds in which an email sent in the dashboard can be cancelled. */
export const undoChoices = [0, 5, 10, 20, 30] as const;
