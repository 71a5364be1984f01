import { feature } from '@/server/platform/feature';
import { accountRouter, setupRouter } from './account.router';
import { authRoute } from './auth-endpoint';
import { erasure } from './erasure.service';
import { singleSignOnRouter } from './oidc.router';
import { passkeysRouter } from './passkey.router';
import { removeOldLinks, resetLinkMailing } from './password-reset.service';
import { photosRoute } from './photo-endpoint';
import { recoveryRouter } from './recovery.router';
import { twoFactorRouter } from './two-factor.router';

export const accounts = feature({
  name: 'accounts',
  routers: {
    account: accountRouter,
    twoFactor: twoFactorRouter,
    singleSignOn: singleSignOnRouter,
    passkeys: passkeysRouter,
    setup: setupRouter,
    recovery: recoveryRouter,
  },
  httpRoutes: [authRoute, photosRoute],
  jobs: [resetLinkMailing, erasure],
  removals: [removeOldLinks],
  tables: [
    // A team is made of accounts, with what they need to work for a business.
    { names: ['users', 'two_factors', 'passkeys'], sharedWith: ['platform/auth', 'features/team'] },
    {
      names: [
        'sessions',
        'used_passkey_challenges',
        'oidc_accounts',
        'account_links',
        'setup_tokens',
        'sign_in_throttle',
        'user_photos',
      ],
      sharedWith: ['platform/auth'],
    },
  ],
});
