/** Mailboxes of other servers, for queries of other features. */

export const mailboxAddresses = '(SELECT identity_id, address, smtp_host IS NOT NULL AS sends, created_at FROM mailboxes)';

/** The servers by which emails are sent, with their encrypted passwords, or where a member signed in. */
export const sendingMailboxes = `(SELECT identity_id, id, address, smtp_host AS host, smtp_port AS port, smtp_security AS security,
  smtp_username AS username, coalesce(smtp_password, password) AS password, provider,
  created_at FROM mailboxes WHERE smtp_host IS NOT NULL)`;

/** SQL for the mailbox by whose server emails of this business, from this address, are sent; null for that of the installation. */
export const sendingMailbox = (identityId: string, address: string): string =>
  `(SELECT m.id FROM ${sendingMailboxes} m WHERE m.identity_id = ${identityId} AND m.address = lower(${address})
    ORDER BY m.created_at, m.id LIMIT 1)`;

export const mailboxSizes = '(SELECT identity_id, pg_column_size(r) AS bytes FROM mailboxes r)';
