import { feature } from '@/server/platform/feature';
import { apiKeysRouter } from './api-key.router';

export const apiKeys = feature({
  name: 'api-keys',
  routers: { apiKeys: apiKeysRouter },
  tables: [{ names: ['api_keys', 'api_key_daily_usage'], sharedWith: ['platform/auth', 'platform/rest'] }],
});
