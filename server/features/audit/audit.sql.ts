/** The audit log, as other features may read it. */

export const auditEntries = '(SELECT user_id, resource FROM audit_entries)';
