import { feature } from '@/server/platform/feature';
import { removeOldDeletions } from './deletion.service';

export const deletions = feature({
  name: 'deletions',
  removals: [removeOldDeletions],
  tables: [{ names: ['deleted_records'] }],
});
