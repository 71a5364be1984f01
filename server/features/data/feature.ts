import { feature } from '@/server/platform/feature';
import { dataRouter } from './data.router';
import { storageWarning } from './storage-warning.service';

export const data = feature({
  name: 'data',
  routers: { data: dataRouter },
  jobs: [storageWarning],
});
