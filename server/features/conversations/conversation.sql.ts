/** Conversations, for queries of other features. */

/** How long a deleted conversation can be restored, and how long the ids of its messages are kept after that, in days. */
export const trashDays = 30;

export const conversations =
  '(SELECT id, identity_id, subject, status, is_read, is_archived, is_spam, is_trashed, last_message_at, counterpart_email, counterpart_name FROM conversations)';

export const conversationCounts =
  '(SELECT identity_id, status, is_read, is_archived, is_spam, is_trashed, conversations FROM conversation_counts)';

export const messages =
  '(SELECT id, identity_id, conversation_id, direction, subject, from_email, text, html, received_at, created_at FROM messages)';

export const attachments = '(SELECT sha256, size FROM attachments)';

export const conversationSizes = '(SELECT identity_id, pg_column_size(r) AS bytes FROM conversations r)';

export const noteSizes = '(SELECT identity_id, pg_column_size(r) AS bytes FROM conversation_notes r)';

export const draftSizes = '(SELECT identity_id, pg_column_size(r) AS bytes FROM mail_drafts r)';

export const labelSizes = '(SELECT identity_id, pg_column_size(r) AS bytes FROM conversation_labels r)';

export const blockedSenderSizes = '(SELECT identity_id, pg_column_size(r) AS bytes FROM blocked_senders r)';

export const snippetSizes = '(SELECT identity_id, pg_column_size(r) AS bytes FROM mail_snippets r)';

export const messageSizes = '(SELECT identity_id, pg_column_size(r) AS bytes FROM messages r)';

export const mergedConversationSizes = '(SELECT identity_id, pg_column_size(r) AS bytes FROM merged_conversations r)';

export const deletedMessageSizes = '(SELECT identity_id, pg_column_size(r) AS bytes FROM deleted_messages r)';

export const mergedConversations = '(SELECT identity_id, id, conversation_id FROM merged_conversations)';
