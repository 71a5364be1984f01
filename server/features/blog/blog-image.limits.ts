/** What forms need of the schema without its weight: constants, and nothing imported. */

/** Largest picture that is taken, in bytes. */
export const imageMaximumBytes = 10 * 1024 * 1024;
