/** Constants for forms, without imports, so that they don't load the schema. */

/** Maximum size of an uploaded picture, in bytes. */
export const imageMaximumBytes = 10 * 1024 * 1024;
