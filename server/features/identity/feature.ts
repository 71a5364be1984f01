import { feature } from '@/server/platform/feature';
import { identityErrors } from './identity.errors';
import { identityRouter } from './identity.router';

export const identity = feature({
  name: 'identity',
  routers: { identity: identityRouter },
  api: {
    tags: [{ name: 'Identity', description: 'The business this key acts for.' }],
    errors: identityErrors,
  },
  tables: [
    // Accounts create and delete their businesses; an identity's own address is proven and set like further ones. A team names the
    // owner who answers for it.
    { names: ['identities'], sharedWith: ['features/accounts', 'features/addresses', 'features/team', 'platform/auth'] },
  ],
});
