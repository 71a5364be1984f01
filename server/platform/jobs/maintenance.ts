import { isTimeCertain } from './clock-jump';
import type { JobDefinitions } from './worker';

/** Lets each feature remove what has had its time. While the present is in doubt, everything is kept until the next run. */
export async function removeExpired(all: readonly JobDefinitions[], signal?: AbortSignal): Promise<void> {
  if (!(await isTimeCertain())) return;
  for (const { removeExpired: remove } of all) await remove?.(signal);
}
