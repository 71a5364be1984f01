import { feature } from '@/server/platform/feature';
import { auditRouter } from './audit.router';
import { removeOldAuditEntries } from './audit-retention.service';

export const audit = feature({
  name: 'audit',
  routers: { audit: auditRouter },
  removals: [removeOldAuditEntries],
  tables: [{ names: ['audit_entries', 'account_audit_entries', 'security_events'], sharedWith: ['platform/auth'] }],
});
