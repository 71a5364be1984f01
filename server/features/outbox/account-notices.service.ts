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
      `Somebody, probably you, wants to sign in to Frontdesk as ${email}. Open this link within 24 hours to confirm it:`,
      url,
      'The link works once, in a browser in which you are signed in. If you did not ask for this, ignore this mail: nothing changes.',
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
      `Somebody wanted to change the address of their Frontdesk account to ${email}. It belongs to an account already, so nothing was changed.`,
      `If that was you, sign in as ${email} instead: ${publicUrl()}/sign-in`,
      `If you have forgotten the password, set a new one: ${resetUrl()}`,
      footer(),
    ),
  };
}

export function emailChangeRequestedMail(current: string, wanted: string): Notice {
  return {
    kind: 'email_change_requested',
    subject: 'Your email address is about to change',
    text: paragraphs(
      `Somebody signed in as ${current} asked to change the address of the account to ${wanted}. It changes when the link that was mailed there is opened.`,
      'If this was you, there is nothing to do here.',
      `If not, set a new password now. That cancels the change and signs everybody out: ${resetUrl()}`,
      footer(),
    ),
  };
}

export function emailChangedMail(former: string, current: string): Notice {
  return {
    kind: 'email_changed',
    subject: 'Your email address was changed',
    text: paragraphs(
      `The Frontdesk account of ${former} signs in as ${current} from now on. All other browsers were signed out.`,
      'If this was you, there is nothing to do.',
      'If not, somebody knows your password. Ask the operator of this installation at once to give the account back to you.',
      footer(),
    ),
  };
}

export function resetPasswordMail(email: string, { url }: MailedLink): Notice {
  return {
    kind: 'reset_password',
    subject: 'Set a new password',
    text: paragraphs(
      `Somebody, probably you, has forgotten the password of the Frontdesk account ${email}. Set a new one within an hour:`,
      url,
      'The link works once. If you did not ask for this, ignore this mail: your password stays as it is.',
      footer(),
    ),
  };
}

/** How a password was changed. */
export type PasswordChange = 'settings' | 'link' | 'operator';

const changedBy: Record<PasswordChange, string> = {
  settings: 'was changed in the settings. All other browsers were signed out',
  link: 'was set by a link mailed to this address. All browsers were signed out',
  operator: 'was set by the operator of this installation. All browsers were signed out',
};

export function passwordChangedMail(email: string, change: PasswordChange): Notice {
  return {
    kind: 'password_changed',
    subject: 'Your password was changed',
    text: paragraphs(
      `The password of the Frontdesk account ${email} ${changedBy[change]}.`,
      'If this was you, there is nothing to do.',
      `If not, set a new password now, then look through sessions and API keys: ${resetUrl()}`,
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
        ? `An API key of ${business} was replaced by a new one: ${key}.`
        : `${business} has a new API key: ${key}. Programs that know it can read and change everything of this business.`,
      'If this was you, there is nothing to do.',
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
      `${address} was added to the addresses of ${business}.`,
      'If this was you, there is nothing to do.',
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
      `${business} was deleted with everything that belonged to it.`,
      'If this was you, there is nothing to do.',
      `If not, set a new password and ask the operator of this installation for a backup: ${resetUrl()}`,
      footer(),
    ),
  };
}
