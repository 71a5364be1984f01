/** Mail that goes out, as other features may read it. */

export const outboxMails = '(SELECT id, identity_id, topic, kind, state, created_at FROM outbox_mails)';
