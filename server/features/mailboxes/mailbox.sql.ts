/** Mailboxes of other servers, for queries of other features. */

export const mailboxAddresses = '(SELECT identity_id, address, created_at FROM mailboxes)';

export const mailboxSizes = '(SELECT identity_id, pg_column_size(r) AS bytes FROM mailboxes r)';
