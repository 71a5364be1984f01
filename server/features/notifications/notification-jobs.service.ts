import { removeInBatches } from '@/server/platform/db/remove-in-batches';
import { deliverNotifications } from './delivery.service';
import { deliverJob } from './delivery-job';

export const notificationDelivery = deliverJob.handledBy(({ payload, signal }) => deliverNotifications(payload, { signal }));

/** Days that notifications are kept, read or not. */
const keptDays = 90;

export async function removeOldNotifications(signal?: AbortSignal): Promise<void> {
  const condition = `created_at < now() - make_interval(days => $1)`;
  await removeInBatches({ table: 'notifications', condition, values: [keptDays], signal });
}
