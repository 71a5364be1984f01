/** Constants for forms, without imports, so that they don't load the schema. */

export const billingIntervals = ['one-time', 'monthly', 'yearly'] as const;

/** Maximum length of `about`, in characters (specification, "Limits"). */
export const aboutMaximum = 1000;
