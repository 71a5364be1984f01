import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type MailProviderSite, mailProviders } from '@/server/features/mailbox-sign-in/mail-provider';
import { publicUrl } from '@/server/platform/env';
import { testCertificates } from './certificates';
import { startDovecot, type TestDovecot } from './dovecot';
import { startOidcProvider, type TestProvider } from './oidc-provider';
import { startTestMailServer, type TestMailServer } from './smtp-server';

/** A provider of mailboxes on this machine: real pages to sign in at (oidc-provider), IMAP (Dovecot) and SMTP, which take its access tokens. */
export interface TestMailProvider {
  /** The client that is registered there. */
  client: { clientId: string; clientSecret: string };
  pages: TestProvider;
  imap: TestDovecot;
  smtp: TestMailServer;
  /** Whether a refresh token is replaced with each use. */
  rotates: boolean;
  /** Called before tokens are given out. */
  beforeTokens: () => Promise<void>;
  close(): Promise<void>;
}

/** Answers whose access token it is, as Dovecot asks for it. */
async function startTokenInfo(pages: TestProvider) {
  const server = createServer((request, response) => {
    const token = new URL(request.url ?? '', 'http://x').searchParams.get('token') ?? '';
    void pages.accountOf(token).then((sub) => {
      response.writeHead(sub === undefined ? 401 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(sub === undefined ? { error: 'invalid_token' } : { sub }));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = () => new Promise((resolve) => server.closeAllConnections() ?? server.close(resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/?token=`, close };
}

/** Starts one in place of Google, whose scope it knows. */
export async function startMailProvider(): Promise<TestMailProvider> {
  const google: MailProviderSite = { ...mailProviders.google };
  const state = { rotates: false, beforeTokens: () => Promise.resolve() };
  const pages = await startOidcProvider(publicUrl(), {
    callback: '/settings/mailboxes/signed-in',
    settings: {
      scopes: ['openid', google.scope],
      issueRefreshToken: () => true,
      rotateRefreshToken: () => state.rotates,
    },
    beforeTokens: () => state.beforeTokens(),
  });
  const tokenInfo = await startTokenInfo(pages);
  const imap = await startDovecot(tokenInfo.url);
  const { accountOf } = pages;
  const smtp = await startTestMailServer({ security: 'tls', password: 'none', accountOf });
  const { cert: ca } = testCertificates.local;
  const at = (port: number) => ({ host: '127.0.0.1', port, security: 'tls' as const, ca });
  mailProviders.google = {
    ...google,
    issuer: pages.issuer,
    authorizationEndpoint: `${pages.issuer}/auth`,
    tokenEndpoint: `${pages.issuer}/token`,
    imap: at(imap.ports.tls),
    smtp: at(smtp.port),
  };
  const { OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = pages.settings;
  return Object.assign(state, {
    client: { clientId, clientSecret },
    ...{ pages, imap, smtp },
    close: async () => {
      mailProviders.google = google;
      await Promise.all([pages.close(), tokenInfo.close(), imap.remove(), smtp.close()]);
    },
  });
}
