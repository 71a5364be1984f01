/** Names of the drafts in this browser (draft-store.ts). */

/** Followed by the id of the draft. */
export const newEmailDrafts = 'email.';

/** Followed by the id of the conversation. */
export const replyDrafts = 'reply.';
