/** The logs, for queries of other features. */

export const auditSizes = '(SELECT identity_id, pg_column_size(r) AS bytes FROM audit_entries r)';

export const securitySizes = '(SELECT identity_id, pg_column_size(r) AS bytes FROM security_events r)';
