import { feature } from '@/server/platform/feature';
import { deletionJobs } from './deletion.service';

export const deletions = feature({
  name: 'deletions',
  jobs: [deletionJobs],
  tables: [{ names: ['deleted_records'] }],
});
