/** Conversations, for queries of other features. */

export const conversations =
  '(SELECT id, identity_id, subject, status, is_read, is_archived, is_spam, last_message_at, counterpart_email, counterpart_name FROM conversations)';

export const conversationCounts =
  '(SELECT identity_id, status, is_read, is_archived, is_spam, conversations FROM conversation_counts)';

export const messages =
  '(SELECT id, identity_id, conversation_id, direction, subject, from_email, received_at, created_at FROM messages)';

export const attachments = '(SELECT sha256 FROM attachments)';
