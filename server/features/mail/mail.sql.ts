/** Mail that goes out or is held back, as other features may read it. */

export const outboxMails = '(SELECT id, identity_id, topic, kind, state, created_at FROM outbox_mails)';

export const quarantinedMails = '(SELECT identity_id FROM quarantined_mails)';
