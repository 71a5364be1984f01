import { feature } from '@/server/platform/feature';
import { homeRouter } from './home.router';

export const home = feature({
  name: 'home',
  routers: { home: homeRouter },
});
