import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test';
import { type ParsedMail, simpleParser } from 'mailparser';
import { expect, test } from './base-test';
import { type Installation, startInstallation } from './installation';
import { type OutsideMailServer, startOutsideMailServer } from './outside-mail-server';

interface MailingInstallation {
  readonly installation: Installation;
  readonly mailServer: OutsideMailServer;
  /** A browser of its own, in which no one is signed in; closed after the test. */
  newPage: (browser: Browser, options?: BrowserContextOptions) => Promise<Page>;
  /** The link in the newest mail to an address that has one, once it is there. */
  newestLink: (email: string, linkIn: (mail: ParsedMail) => string | undefined) => Promise<string>;
}

/** An installation that sends mail, for the tests of a file, which run one after another. */
export function withMailingInstallation(): MailingInstallation {
  let mailServer: OutsideMailServer;
  let installation: Installation;
  const contexts: BrowserContext[] = [];

  test.describe.configure({ mode: 'serial' });

  test.beforeAll(async () => {
    mailServer = await startOutsideMailServer();
    installation = await startInstallation({
      settings: { SMTP_URL: mailServer.url, MAIL_FROM: 'Desk <desk@operator.example>' },
    });
  });

  test.afterAll(async () => {
    await installation.stop();
    await mailServer.close();
  });

  test.afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });

  return {
    get installation() {
      return installation;
    },
    get mailServer() {
      return mailServer;
    },
    newPage: async (browser, options = {}) => {
      const context = await browser.newContext({ baseURL: installation.baseUrl, ...options });
      contexts.push(context);
      return context.newPage();
    },
    newestLink: async (email, linkIn) => {
      let link: string | undefined;
      await expect
        .poll(async () => {
          for (const { recipients, raw } of mailServer.accepted) {
            if (recipients.includes(email)) link = linkIn(await simpleParser(raw)) ?? link;
          }
          return link;
        })
        .toBeDefined();
      return link ?? '';
    },
  };
}
