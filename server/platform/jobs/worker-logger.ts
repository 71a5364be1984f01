import { Logger } from 'graphile-worker';
import { log } from '../log';
import { logFailure } from '../outage-log';

interface Meta {
  error?: unknown;
  failure?: boolean;
  job?: { id: string; task_identifier: string; attempts: number };
}

/**
 * Writes the job queue's messages to our log. A failed job is identified by kind and id, without its payload. The queue repeats
 * the error with its stack in the message, which is not logged twice.
 */
export const workerLogger = new Logger(() => (level, message, meta) => {
  const { error, failure, job } = (meta ?? {}) as Meta;
  if (failure && job) {
    const { id: jobId, task_identifier: task, attempts } = job;
    logFailure(error, { jobId, task, attempts }, 'a job failed');
  } else if (level === 'error' && error !== undefined) logFailure(error, {}, `job queue: ${firstLine(message)}`);
  else if (level === 'error') log().error({ meta }, message);
  else if (level === 'warning') log().warn({ meta }, message);
  else log().debug(message);
});

function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? '';
}
