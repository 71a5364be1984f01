import { feature } from '@/server/platform/feature';
import { fileJobs } from './file-sweep.service';
import { inboundEmailRoute } from './inbound-email';
import { mailRouter } from './mail.router';
import { mailFilesRoute } from './mail-files';
import { quarantineJobs } from './quarantine.service';
import { startReceiver } from './receiver.service';

export const mail = feature({
  name: 'mail',
  routers: { mail: mailRouter },
  httpRoutes: [mailFilesRoute, inboundEmailRoute],
  jobs: [fileJobs, quarantineJobs],
  tables: [{ names: ['quarantined_mails'] }],
  begin: startReceiver,
});
