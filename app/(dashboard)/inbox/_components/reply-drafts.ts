/** What the names of all drafts of replies begin with; the conversation's id follows. */
export const replyDrafts = 'reply.';
