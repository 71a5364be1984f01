import { isTimeCertain } from './clock';
import { daily, StandingJob } from './job';

/** Removes data whose time is over; called once a day, safe to repeat. */
export type Removal = (signal?: AbortSignal) => Promise<void>;

/** Runs all removals of expired data. Skipped while the current time is doubtful. */
export async function removeExpired(removals: readonly Removal[], signal?: AbortSignal): Promise<void> {
  if (!(await isTimeCertain())) return;
  for (const remove of removals) await remove(signal);
}

/** The job that does so every night. */
export const expiryJob = (removals: readonly Removal[]) =>
  new StandingJob('remove-expired', daily(3, 17), (signal) => removeExpired(removals, signal));
