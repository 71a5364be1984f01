import { embeddedLogFile, rotateLog } from '../db/embedded-log';
import { env } from '../env';
import type { JobDefinitions } from './worker';

export const embeddedLogJobs: JobDefinitions = {
  tasks: {},
  crontab: [],
  removeExpired: () => rotateLog(embeddedLogFile(env().DATA_DIR)),
};
