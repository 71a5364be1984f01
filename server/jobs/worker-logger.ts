import { Logger } from 'graphile-worker';
import { log } from '../log';

/** The job queue's own messages, in our log. */
export const workerLogger = new Logger(() => (level, message, meta) => {
  if (level === 'error') log().error({ meta }, message);
  else if (level === 'warning') log().warn({ meta }, message);
  else log().debug(message);
});
