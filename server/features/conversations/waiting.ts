/**
 * Since when the other side of a conversation waits for an answer. `waiting_since` is when the first message without one was received, and
 * counts only while `isOpen`: so it returns by itself when a reply is cancelled or fails, or a conversation is moved back to the inbox.
 */

/** A conversation, `c`, that is not done. As the index conversations_waiting_idx has it. */
export const isOpen = `c.status NOT IN ('waiting_customer', 'completed') AND (NOT c.is_archived OR c.snoozed_until IS NOT NULL)
  AND NOT c.is_spam AND NOT c.is_trashed`;

/** The output's `waitingSince`. */
export const waitingSince = `CASE WHEN ${isOpen} THEN c.waiting_since END`;
