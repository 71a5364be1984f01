import type { NewEmailStart } from '../search-params';

/** Names of the drafts in this browser (draft-store.ts). */

export const newEmailDraft = 'email.new';

/** Each start of a new email has a draft of its own. */
export function newEmailDraftOf({ forward, to }: NewEmailStart): string {
  if (forward !== undefined) return `email.forward.${forward}`;
  return to === undefined ? newEmailDraft : `email.to.${to}`;
}

/** Followed by the id of the conversation. */
export const replyDrafts = 'reply.';
