import { feature } from '@/server/platform/feature';
import { withdrawUnsent } from './outbox.service';
import { removeOldMail } from './sending.service';

export const outbox = feature({
  name: 'outbox',
  removals: [removeOldMail],
  // The mail feature shows it.
  tables: [{ names: ['outbox_mails'], sharedWith: ['features/mail'] }],
  withdraw: withdrawUnsent,
});
