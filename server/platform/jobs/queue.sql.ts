/** Keys of the jobs that are to run, or to run again. */
export const jobKeys = '(SELECT key FROM graphile_worker.jobs WHERE attempts < max_attempts)';

/** Keys of the jobs that are running. */
export const runningJobKeys = '(SELECT key FROM graphile_worker.jobs WHERE locked_at IS NOT NULL)';
