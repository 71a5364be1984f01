import { feature } from '@/server/platform/feature';
import { searchRouter } from './search.router';

export const search = feature({
  name: 'search',
  routers: { search: searchRouter },
});
