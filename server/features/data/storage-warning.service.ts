import { notifyStorage } from '@/server/features/notifications/notification-causes.service';
import { noteStorage } from '@/server/features/usage/storage-thresholds.service';
import { transaction } from '@/server/platform/db/transaction';
import { everyMinutes, StandingJob } from '@/server/platform/jobs/job';

/**
 * Warns when the storage of an identity is nearly full. The triggers that count storage know nothing of plans, so a job looks every
 * quarter of an hour. It may run twice: each event and each notification is written once.
 */
async function warnOfFullStorage(): Promise<void> {
  const author = { kind: 'system', cause: 'upkeep' } as const;
  for (const reached of await noteStorage()) await transaction(author, (client) => notifyStorage(client, reached, author));
}

export const storageWarning = new StandingJob('warn-of-full-storage', everyMinutes(15), warnOfFullStorage);
