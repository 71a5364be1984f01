/** The request for the member's drafts. Used by server and browser, so that the browser finds the prefetched query. */
export const draftsInput = { limit: 100 } as const;

/** The same for the scheduled emails of the business. */
export const scheduledInput = { limit: 100 } as const;
