import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Provider from 'oidc-provider';

/** What the provider knows of a person; `sub` is the id of its account. */
export interface ProviderPerson {
  sub: string;
  email: string;
  email_verified: boolean;
}

/** A real OpenID Connect provider (oidc-provider) on this machine. */
export interface TestProvider {
  issuer: string;
  /** Settings with which an installation uses it. */
  settings: { OIDC_ISSUER: string; OIDC_CLIENT_ID: string; OIDC_CLIENT_SECRET: string };
  /** Who signs in there from now on. */
  person: ProviderPerson;
  /** Whose access token it is; undefined if it is not valid. */
  accountOf(accessToken: string): Promise<string | undefined>;
  close(): Promise<void>;
}

const client = { id: 'frontdesk', secret: 'a secret of the client' };

/** Signs in whoever `person` is, without a page, and consents to everything. */
async function interact(
  provider: Provider,
  person: ProviderPerson,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === 'login') {
    return provider.interactionFinished(request, response, { login: { accountId: person.sub } });
  }
  const grant = new provider.Grant({ accountId: session?.accountId, clientId: params.client_id });
  grant.addOIDCScope(prompt.details.missingOIDCScope?.join(' ') ?? 'openid');
  grant.addOIDCClaims(prompt.details.missingOIDCClaims ?? []);
  await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}

export interface ProviderOptions {
  /** Path of its redirect URI. */
  callback?: string;
  /** Further settings of oidc-provider. */
  settings?: object;
  /** Called before a request for tokens is answered. */
  beforeTokens?: () => Promise<void>;
}

/** @param origin where the installation is, for its redirect URI */
export async function startOidcProvider(
  origin: string,
  { callback = '/api/auth/oidc/callback', settings = {}, beforeTokens }: ProviderOptions = {},
): Promise<TestProvider> {
  const { default: OidcProvider } = await import('oidc-provider');
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const state: TestProvider = {
    issuer,
    settings: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret },
    person: { sub: 'ann', email: 'ann@quark.example', email_verified: true },
    accountOf: async (accessToken) => (await provider.AccessToken.find(accessToken))?.accountId,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  const people = new Map<string, ProviderPerson>();
  const provider = new OidcProvider(issuer, {
    clients: [
      {
        ...{ client_id: client.id, client_secret: client.secret, redirect_uris: [`${origin}${callback}`] },
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], auth_time: null },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => people.get(sub) ?? { sub } }),
    cookies: { keys: ['test'] },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    ...settings,
  });
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (beforeTokens && request.url === '/token') return void beforeTokens().then(() => answer(request, response));
    if (!request.url?.startsWith('/interaction/')) return answer(request, response);
    people.set(state.person.sub, { ...state.person });
    interact(provider, state.person, request, response).catch((error: Error) => response.writeHead(500).end(error.stack));
  });
  return state;
}

/** A browser at the provider: keeps its cookies between visits. */
export class ProviderBrowser {
  readonly #cookies = new Map<string, string>();

  /** Follows the provider's redirects. @returns path and query of the page elsewhere that it leads to */
  async visit(url: string): Promise<string> {
    let next = url;
    for (let steps = 0; steps < 10; steps++) {
      const answer = await fetch(next, { redirect: 'manual', headers: { cookie: this.#header() } });
      for (const cookie of answer.headers.getSetCookie()) this.#keep(cookie);
      const location = answer.headers.get('location');
      if (location === null) throw new Error(`The provider answers ${answer.status}: ${(await answer.text()).slice(0, 500)}`);
      const target = new URL(location, next);
      if (target.origin !== new URL(url).origin) return `${target.pathname}${target.search}`;
      next = target.href;
    }
    throw new Error('The provider redirects too often.');
  }

  #header(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #keep(cookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (value === '') this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}
