import { publicUrl } from '@/server/platform/env';
import type { Language } from '@/server/platform/languages.schema';
import { type Notice, notice } from './account-copy.service';
import type { AccountNotices, KeyName, PasswordChange } from './account-notices.copy';
import { de } from './account-notices.de';
import { en } from './account-notices.en';
import { es } from './account-notices.es';
import { fr } from './account-notices.fr';

export type { PasswordChange } from './account-notices.copy';

/**
 * Emails about an account, in the language of the person they are for. Each ends with what to do if someone else caused it; the texts
 * are in `account-notices.<language>.ts`.
 */

const accountNotices: Record<Language, AccountNotices> = { en, de, fr, es };

const signInUrl = () => `${publicUrl()}/sign-in`;
const resetUrl = () => `${publicUrl()}/forgot-password`;
const keysUrl = () => `${publicUrl()}/api-keys`;
const webhooksUrl = () => `${publicUrl()}/settings/webhooks`;

/** A mailed link. Its lifetime is given as a duration. */
interface MailedLink {
  url: string;
}

export function confirmEmailMail(language: Language, email: string, { url }: MailedLink): Notice {
  return notice({ kind: 'confirm_email', language }, accountNotices[language].confirmEmail({ email, url }));
}

/** For an address that belongs to another account: its owner is notified, the requester is not. */
export function addressInUseMail(language: Language, email: string): Notice {
  const copy = accountNotices[language].addressInUse({ email, signInUrl: signInUrl(), resetUrl: resetUrl() });
  return notice({ kind: 'email_in_use', language }, copy);
}

export function emailChangeRequestedMail(language: Language, current: string, wanted: string): Notice {
  const copy = accountNotices[language].emailChangeRequested({ current, wanted, resetUrl: resetUrl() });
  return notice({ kind: 'email_change_requested', language }, copy);
}

export function emailChangedMail(language: Language, former: string, current: string): Notice {
  return notice({ kind: 'email_changed', language }, accountNotices[language].emailChanged({ former, current }));
}

export function resetPasswordMail(language: Language, email: string, { url }: MailedLink): Notice {
  return notice({ kind: 'reset_password', language }, accountNotices[language].resetPassword({ email, url }));
}

export function passwordChangedMail(language: Language, email: string, change: PasswordChange): Notice {
  return notice(
    { kind: 'password_changed', language },
    accountNotices[language].passwordChanged({ email, change, resetUrl: resetUrl() }),
  );
}

/** @param about.providerEmail as the provider names the account */
export function singleSignOnConnectedMail(
  language: Language,
  about: { email: string; provider: string; providerEmail: string | null },
): Notice {
  const copy = accountNotices[language].singleSignOnConnected({ ...about, resetUrl: resetUrl() });
  return notice({ kind: 'single_sign_on_connected', language }, copy);
}

export function singleSignOnDisconnectedMail(language: Language, about: { email: string; provider: string }): Notice {
  const copy = accountNotices[language].singleSignOnDisconnected({ ...about, resetUrl: resetUrl() });
  return notice({ kind: 'single_sign_on_disconnected', language }, copy);
}

export function keyCreatedMail(language: Language, business: string, key: KeyName): Notice {
  return notice(
    { kind: 'api_key_created', language, business },
    accountNotices[language].keyCreated({ business, key, keysUrl: keysUrl() }),
  );
}

export function keyReplacedMail(language: Language, business: string, key: KeyName): Notice {
  return notice(
    { kind: 'api_key_rotated', language, business },
    accountNotices[language].keyReplaced({ business, key, keysUrl: keysUrl() }),
  );
}

export function addressAddedMail(language: Language, business: string, address: string): Notice {
  const profileUrl = `${publicUrl()}/identity`;
  return notice(
    { kind: 'address_added', language, business },
    accountNotices[language].addressAdded({ business, address, profileUrl }),
  );
}

export function webhookFailingMail(language: Language, business: string, url: string): Notice {
  return notice(
    { kind: 'webhook_failing', language, business },
    accountNotices[language].webhookFailing({ business, url, webhooksUrl: webhooksUrl() }),
  );
}

export function webhookDisabledMail(language: Language, business: string, url: string, reason: 'failing' | 'gone'): Notice {
  const copy = accountNotices[language].webhookDisabled({ business, url, reason, webhooksUrl: webhooksUrl() });
  return notice({ kind: 'webhook_disabled', language, business }, copy);
}

export function businessDeletedMail(language: Language, business: string): Notice {
  return notice(
    { kind: 'business_deleted', language, business },
    accountNotices[language].businessDeleted({ business, resetUrl: resetUrl() }),
  );
}
