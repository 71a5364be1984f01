import type { AccountNotices, KeyName, PasswordChange } from './account-notices.copy';

const noAction = 'If this was you, no action is needed.';

const reviewSignIn = (resetUrl: string) =>
  `If not, set a new password now, then review your sessions and how you sign in: ${resetUrl}`;

const changedBy: Record<PasswordChange, string> = {
  settings: 'was changed in Settings. All other browsers were signed out',
  link: 'was set with a link emailed to this address. All browsers were signed out',
  operator: 'was set by your administrator. All browsers were signed out',
};

const named = ({ name, prefix, last4 }: KeyName) => `“${name}” (${prefix}…${last4})`;

const revokeKey = (keysUrl: string) => `If not, revoke it and change your password: ${keysUrl}`;

const disabledBecause = {
  failing: 'because its deliveries have failed for five days',
  gone: 'because its server answered that it is gone (410)',
};

/** In English. */
export const en: AccountNotices = {
  confirmEmail: ({ email, url }) => [
    'Confirm your email address',
    `Someone, probably you, asked to use ${email} to sign in to Frontdesk. Open this link within 24 hours to confirm:`,
    url,
    'The link works once, in a browser where you are signed in. If you didn’t ask for this, ignore this email and nothing changes.',
  ],
  addressInUse: ({ email, signInUrl, resetUrl }) => [
    'Your email address is in use already',
    `Someone tried to change the email of their Frontdesk account to ${email}. It already belongs to another account, so nothing was changed.`,
    `If that was you, sign in as ${email} instead: ${signInUrl}`,
    `If you forgot your password, set a new one: ${resetUrl}`,
  ],
  emailChangeRequested: ({ current, wanted, resetUrl }) => [
    'Your email address is about to change',
    `Someone signed in as ${current} asked to change the email of the account to ${wanted}. It changes once the link emailed there is opened.`,
    noAction,
    `If not, set a new password now. This cancels the change and signs out all sessions: ${resetUrl}`,
  ],
  emailChanged: ({ former, current }) => [
    'Your email address was changed',
    `The Frontdesk account ${former} now signs in as ${current}. All other browsers were signed out.`,
    noAction,
    'If not, someone else knows your password. Ask your administrator to restore your account right away.',
  ],
  resetPassword: ({ email, url }) => [
    'Set a new password',
    `Someone, probably you, asked to reset the password of the Frontdesk account ${email}. Set a new one within an hour:`,
    url,
    'The link works once. If you didn’t ask for this, ignore this email. Your password stays the same.',
  ],
  passwordChanged: ({ email, change, resetUrl }) => [
    'Your password was changed',
    `The password of the Frontdesk account ${email} ${changedBy[change]}.`,
    noAction,
    `If not, set a new password now, then review your sessions and API keys: ${resetUrl}`,
  ],
  singleSignOnConnected: ({ email, provider, providerEmail, resetUrl }) => [
    'Single sign-on was connected',
    `The account ${providerEmail ? `${providerEmail} ` : ''}at ${provider} now signs in to your Frontdesk account ${email}.`,
    noAction,
    reviewSignIn(resetUrl),
  ],
  singleSignOnDisconnected: ({ email, provider, resetUrl }) => [
    'Single sign-on was disconnected',
    `Your account at ${provider} no longer signs in to your Frontdesk account ${email}. All other browsers were signed out.`,
    noAction,
    reviewSignIn(resetUrl),
  ],
  keyCreated: ({ business, key, keysUrl }) => [
    'An API key was created',
    `${business} has a new API key: ${named(key)}. Apps that have it can read and change all data of this business.`,
    noAction,
    revokeKey(keysUrl),
  ],
  keyReplaced: ({ business, key, keysUrl }) => [
    'An API key was replaced',
    `An API key of ${business} was replaced with a new one: ${named(key)}.`,
    noAction,
    revokeKey(keysUrl),
  ],
  addressAdded: ({ business, address, profileUrl }) => [
    'An email address was added',
    `${address} was added to the email addresses of ${business}.`,
    noAction,
    `If not, remove it and change your password: ${profileUrl}`,
  ],
  webhookFailing: ({ business, url, webhooksUrl }) => [
    'A webhook is failing',
    `Deliveries to a webhook of ${business} have failed for 24 hours: ${url}`,
    'Each event is tried again for about three days. After five days of failures the webhook is disabled.',
    `See why the attempts fail: ${webhooksUrl}`,
  ],
  webhookDisabled: ({ business, url, reason, webhooksUrl }) => [
    'A webhook was disabled',
    `A webhook of ${business} was disabled ${disabledBecause[reason]}: ${url}`,
    `It gets no events any more. Activate it again once it works, and recover what it has missed: ${webhooksUrl}`,
  ],
  businessDeleted: ({ business, resetUrl }) => [
    'A business was deleted',
    `${business} and all of its data were deleted.`,
    noAction,
    `If not, set a new password and ask your administrator for a backup: ${resetUrl}`,
  ],
};
