/** What forms need of the schema without its weight: constants, and nothing imported. */

export const billingIntervals = ['one-time', 'monthly', 'yearly'] as const;

/** Longest `about`, in characters (specification, "Limits"). */
export const aboutMaximum = 1000;
