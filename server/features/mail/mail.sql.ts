/** Quarantined mail, for queries of other features. */

export const quarantinedMails = '(SELECT identity_id FROM quarantined_mails)';
