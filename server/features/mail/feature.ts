import { feature } from '@/server/platform/feature';
import { fileSweep } from './file-sweep.service';
import { inboundEmailRoute } from './inbound-email';
import { mailRouter } from './mail.router';
import { mailFilesRoute } from './mail-files';
import { removeOldQuarantine } from './quarantine.service';
import { startReceiver } from './receiver.service';

export const mail = feature({
  name: 'mail',
  routers: { mail: mailRouter },
  httpRoutes: [mailFilesRoute, inboundEmailRoute],
  jobs: [fileSweep],
  removals: [removeOldQuarantine],
  tables: [{ names: ['quarantined_mails'] }],
  begin: startReceiver,
});
