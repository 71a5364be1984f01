import type { Examples, Own } from '@/server/testing/examples';
import { createApiKey } from '../api-key.service';

const anotherKey = async ({ actor }: Own) => [
  { id: (await createApiKey(actor, { name: 'Another', expiresAt: null })).apiKey.id },
];

export const examples: Examples = {
  own: {
    'apiKeys.create': () => [{ name: 'Another' }],
    'apiKeys.rotate': anotherKey,
    'apiKeys.revoke': anotherKey,
  },
  foreign: {
    'apiKeys.create': ({ agentId }) => [{ name: 'Mine' }, { name: 'Mine', scopes: ['blog:read'], agentId }],
    'apiKeys.rotate': ({ apiKeyId }) => [{ id: apiKeyId }],
    'apiKeys.revoke': ({ apiKeyId }) => [{ id: apiKeyId }],
  },
  fill: async ({ as, words }) => ({ apiKeyId: (await as.apiKeys.create({ name: words })).apiKey.id }),
  unaudited: ['api_key_daily_usage'],
  reference: ['api_keys', 'api_key_daily_usage'],
};
