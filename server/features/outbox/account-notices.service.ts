import { publicUrl } from '@/server/platform/env';
import type { AccountMail } from './account-mail.service';

/** Texts of emails about an account. Each ends with what to do if someone else caused it. */

type Notice = Pick<AccountMail, 'subject' | 'text' | 'kind'>;

function paragraphs(...parts: string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

const footer = () => `Frontdesk, ${publicUrl()}`;
const resetUrl = () => `${publicUrl()}/forgot-password`;

/** A mailed link. Its lifetime is given as a duration, because the reader's time zone is unknown. */
interface MailedLink {
  url: string;
}

export function confirmEmailMail(email: string, { url }: MailedLink): Notice {
  return {
    kind: 'confirm_email',
    subject: 'Confirm your email address',
    text: paragraphs(
      `Someone, probably you, asked to use ${email} to sign in to Frontdesk. Open this link within 24 hours to confirm:`,
      url,
      'The link works once, in a browser where you are signed in. If you didn’t ask for this, ignore this email and nothing changes.',
      footer(),
    ),
  };
}

/** For an address that belongs to another account: its owner is notified, the requester is not. */
export function addressInUseMail(email: string): Notice {
  return {
    kind: 'email_in_use',
    subject: 'Your email address is in use already',
    text: paragraphs(
      `Someone tried to change the email of their Frontdesk account to ${email}. It already belongs to another account, so nothing was changed.`,
      `If that was you, sign in as ${email} instead: ${publicUrl()}/sign-in`,
      `If you forgot your password, set a new one: ${resetUrl()}`,
      footer(),
    ),
  };
}

export function emailChangeRequestedMail(current: string, wanted: string): Notice {
  return {
    kind: 'email_change_requested',
    subject: 'Your email address is about to change',
    text: paragraphs(
      `Someone signed in as ${current} asked to change the email of the account to ${wanted}. It changes once the link emailed there is opened.`,
      'If this was you, no action is needed.',
      `If not, set a new password now. This cancels the change and signs out all sessions: ${resetUrl()}`,
      footer(),
    ),
  };
}

export function emailChangedMail(former: string, current: string): Notice {
  return {
    kind: 'email_changed',
    subject: 'Your email address was changed',
    text: paragraphs(
      `The Frontdesk account ${former} now signs in as ${current}. All other browsers were signed out.`,
      'If this was you, no action is needed.',
      'If not, someone else knows your password. Ask your administrator to restore your account right away.',
      footer(),
    ),
  };
}

export function resetPasswordMail(email: string, { url }: MailedLink): Notice {
  return {
    kind: 'reset_password',
    subject: 'Set a new password',
    text: paragraphs(
      `Someone, probably you, asked to reset the password of the Frontdesk account ${email}. Set a new one within an hour:`,
      url,
      'The link works once. If you didn’t ask for this, ignore this email. Your password stays the same.',
      footer(),
    ),
  };
}

/** How a password was changed. */
export type PasswordChange = 'settings' | 'link' | 'operator';

const changedBy: Record<PasswordChange, string> = {
  settings: 'was changed in Settings. All other browsers were signed out',
  link: 'was set with a link emailed to this address. All browsers were signed out',
  operator: 'was set by your administrator. All browsers were signed out',
};

export function passwordChangedMail(email: string, change: PasswordChange): Notice {
  return {
    kind: 'password_changed',
    subject: 'Your password was changed',
    text: paragraphs(
      `The password of the Frontdesk account ${email} ${changedBy[change]}.`,
      'If this was you, no action is needed.',
      `If not, set a new password now, then review your sessions and API keys: ${resetUrl()}`,
      footer(),
    ),
  };
}

const unknownKey = () => `If not, revoke it and change your password: ${publicUrl()}/api-keys`;

export function keyIssuedMail(business: string, key: string, isSuccessor: boolean): Notice {
  return {
    kind: isSuccessor ? 'api_key_rotated' : 'api_key_created',
    subject: isSuccessor ? 'An API key was replaced' : 'An API key was created',
    text: paragraphs(
      isSuccessor
        ? `An API key of ${business} was replaced with a new one: ${key}.`
        : `${business} has a new API key: ${key}. Apps that have it can read and change all data of this business.`,
      'If this was you, no action is needed.',
      unknownKey(),
      footer(),
    ),
  };
}

export function addressAddedMail(business: string, address: string): Notice {
  return {
    kind: 'address_added',
    subject: 'An email address was added',
    text: paragraphs(
      `${address} was added to the email addresses of ${business}.`,
      'If this was you, no action is needed.',
      `If not, remove it and change your password: ${publicUrl()}/identity`,
      footer(),
    ),
  };
}

export function businessDeletedMail(business: string): Notice {
  return {
    kind: 'business_deleted',
    subject: 'A business was deleted',
    text: paragraphs(
      `${business} and all of its data were deleted.`,
      'If this was you, no action is needed.',
      `If not, set a new password and ask your administrator for a backup: ${resetUrl()}`,
      footer(),
    ),
  };
}
