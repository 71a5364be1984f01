/** Outgoing mail, for queries of other features. */

export const outboxMails =
  '(SELECT id, identity_id, message_id, topic, kind, state, send_at, cancel_if_reply, created_at FROM outbox_mails)';

export const outboxSizes = '(SELECT identity_id, pg_column_size(r) AS bytes FROM outbox_mails r)';
