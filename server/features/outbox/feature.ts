import { feature } from '@/server/platform/feature';
import { withdrawUnsent } from './outbox.service';
import { outboxSweep, removeOldMail, sweepOutbox } from './sending.service';

export const outbox = feature({
  name: 'outbox',
  jobs: [outboxSweep],
  removals: [removeOldMail],
  // The mail feature shows it.
  tables: [{ names: ['outbox_mails'], sharedWith: ['features/mail'] }],
  begin: sweepOutbox,
  withdraw: withdrawUnsent,
});
