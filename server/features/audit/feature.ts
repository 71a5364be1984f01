import { feature } from '@/server/platform/feature';
import { auditRouter } from './audit.router';
import { auditJobs } from './audit-jobs.service';

export const audit = feature({
  name: 'audit',
  routers: { audit: auditRouter },
  jobs: [auditJobs],
  tables: [{ names: ['audit_entries', 'account_audit_entries', 'security_events'], sharedWith: ['platform/auth'] }],
});
