import type { MailProvider } from '@/server/features/mailbox-sign-in/mail-provider.schema';

interface Provider {
  name: string;
  /** The server that emails are sent by. */
  smtp: string;
  /** What to do there for a client, in its own words. */
  steps: string;
  /** What else to know of a client there. */
  advice: string;
}

/** Where members can sign in to mailboxes. */
export const providers: Readonly<Record<MailProvider, Provider>> = {
  google: {
    name: 'Google',
    smtp: 'smtp.gmail.com',
    steps:
      'In Google Cloud, enable the Gmail API, and create an OAuth client of the type “Web application” with this redirect URI.',
    advice: 'Set its audience to “Internal”, or publish it: sign-ins to an app in testing end after seven days.',
  },
  microsoft: {
    name: 'Microsoft',
    smtp: 'smtp.office365.com',
    steps: 'In Microsoft Entra, register an application with this redirect URI (“Web”), and create a client secret for it.',
    advice: 'A client secret ends after two years at the latest. Set a new one here before.',
  },
};

export const providerNames = Object.keys(providers) as MailProvider[];
