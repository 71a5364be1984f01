/** Mailboxes of a business. */
export const mailboxesMaximum = 20;

/** How far back the first import may reach, in days, and does by default. */
export const importDays = { maximum: 3_650, default: 30 };
