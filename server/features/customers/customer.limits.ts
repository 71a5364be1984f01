/** What forms need of the schema without its weight: constants, and nothing imported. */

/** More than anybody needs, and few enough that one customer stays one small record. */
export const contactsMaximum = 100;
