/** Constants for forms, without imports, so that they don't load the schema. */

/** Contacts per customer: more than needed in practice, and few enough to keep a customer a small record. */
export const contactsMaximum = 100;

/** The longest search by words, in characters. */
export const searchMaximum = 200;
