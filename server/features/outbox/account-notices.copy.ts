import type { Copy } from './account-copy.service';

/** How a password was changed. */
export type PasswordChange = 'settings' | 'link' | 'operator';

/** As its owner knows it, and never whole. */
export interface KeyName {
  name: string;
  prefix: string;
  last4: string;
}

/** The texts of `account-notices.service.ts` in one language. */
export interface AccountNotices {
  confirmEmail: (about: { email: string; url: string }) => Copy;
  addressInUse: (about: { email: string; signInUrl: string; resetUrl: string }) => Copy;
  emailChangeRequested: (about: { current: string; wanted: string; resetUrl: string }) => Copy;
  emailChanged: (about: { former: string; current: string }) => Copy;
  resetPassword: (about: { email: string; url: string }) => Copy;
  passwordChanged: (about: { email: string; change: PasswordChange; resetUrl: string }) => Copy;
  /** `providerEmail`: as the provider names the account. */
  singleSignOnConnected: (about: { email: string; provider: string; providerEmail: string | null; resetUrl: string }) => Copy;
  singleSignOnDisconnected: (about: { email: string; provider: string; resetUrl: string }) => Copy;
  keyCreated: (about: { business: string; key: KeyName; keysUrl: string }) => Copy;
  keyReplaced: (about: { business: string; key: KeyName; keysUrl: string }) => Copy;
  addressAdded: (about: { business: string; address: string; profileUrl: string }) => Copy;
  webhookFailing: (about: { business: string; url: string; webhooksUrl: string }) => Copy;
  webhookDisabled: (about: { business: string; url: string; reason: 'failing' | 'gone'; webhooksUrl: string }) => Copy;
  businessDeleted: (about: { business: string; resetUrl: string }) => Copy;
}
