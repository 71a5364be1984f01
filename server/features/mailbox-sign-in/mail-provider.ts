import type { ChosenServer } from '@/server/platform/fetch/checked-host';
import type { MailSecurity } from '@/server/platform/mail/mail-server';
import type { MailProvider } from './mail-provider.schema';

interface ProviderServer extends ChosenServer {
  security: MailSecurity;
  /** A certificate (PEM) that is trusted besides those that Node.js trusts; of tests. */
  ca?: string;
}

/** A provider of mailboxes, and what it asks of a client (RFC 6749). */
export interface MailProviderSite {
  name: string;
  issuer: string;
  /** Its pages, with `{tenant}` where they belong to a directory. */
  authorizationEndpoint: string;
  tokenEndpoint: string;
  /** What is asked for: reading and sending by IMAP and SMTP, without the person at hand. */
  scope: string;
  /** Further parameters of an authorization request. */
  parameters: Readonly<Record<string, string>>;
  imap: ProviderServer;
  smtp: ProviderServer;
}

/**
 * As documented by them: developers.google.com/workspace/gmail/imap/xoauth2-protocol and learn.microsoft.com/exchange/client-developer
 * (“Authenticate an IMAP, POP or SMTP connection using OAuth”). Changed by tests only.
 */
export const mailProviders: Record<MailProvider, MailProviderSite> = {
  google: {
    name: 'Google',
    issuer: 'https://accounts.google.com',
    authorizationEndpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenEndpoint: 'https://oauth2.googleapis.com/token',
    scope: 'https://mail.google.com/',
    // Without both, only the first sign-in would give a refresh token.
    parameters: { access_type: 'offline', prompt: 'consent' },
    imap: { host: 'imap.gmail.com', port: 993, security: 'tls' },
    smtp: { host: 'smtp.gmail.com', port: 465, security: 'tls' },
  },
  microsoft: {
    name: 'Microsoft',
    issuer: 'https://login.microsoftonline.com/{tenant}/v2.0',
    authorizationEndpoint: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/authorize',
    tokenEndpoint: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/token',
    scope: 'offline_access https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send',
    // The person may be signed in there with another account.
    parameters: { prompt: 'select_account' },
    imap: { host: 'outlook.office365.com', port: 993, security: 'tls' },
    smtp: { host: 'smtp.office365.com', port: 587, security: 'starttls' },
  },
};
