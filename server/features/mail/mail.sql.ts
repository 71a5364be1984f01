/** Mail that is held back, as other features may read it. */

export const quarantinedMails = '(SELECT identity_id FROM quarantined_mails)';
