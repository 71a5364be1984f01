/** Quarantined mail, for queries of other features. */

export const quarantinedMails = '(SELECT identity_id FROM quarantined_mails)';

export const quarantineSizes = '(SELECT identity_id, pg_column_size(r) AS bytes FROM quarantined_mails r)';
