import type * as openid from 'openid-client';
import { openidClient } from '@/server/platform/fetch/openid-client';
import { errorChain, loggableError } from '@/server/platform/fetch/provider-error';
import { providerFetch, providerTimeout } from '@/server/platform/fetch/provider-fetch';
import { log } from '@/server/platform/log';
import { MailboxProblem, said } from '@/server/platform/mail/mailbox-problem';
import { type MailProviderSite, mailProviders } from './mail-provider';
import type { MailProvider } from './mail-provider.schema';
import { type KnownClient, redirectUri } from './mailbox-client.service';

/** The requests of the authorization code flow with PKCE (RFC 6749, section 4.1; RFC 7636), and those for further access tokens (section 6). */

/** What a provider gives for a mailbox. */
export interface Tokens {
  /** Undefined if the one of before stays. */
  refreshToken?: string;
  accessToken: string;
  expiresAt: Date;
}

/** What binds a provider's answer to the request; stays in the browser's sealed cookie. */
export interface SignInSecrets {
  state: string;
  codeVerifier: string;
}

/** In seconds: how long an access token is used if the provider does not say how long it may be. */
const usualLifetime = 600;

/** In characters. Tokens of Microsoft have some 3,000. */
const tokenMaximum = 20_000;

const undecipherable = ({ name }: MailProviderSite) =>
  new MailboxProblem(
    'credentials',
    `The stored secret of the client at ${name} can’t be decrypted, since AUTH_SECRET has changed. Enter it again.`,
  );

async function configuration(site: MailProviderSite, client: KnownClient): Promise<[typeof openid, openid.Configuration]> {
  const library = await openidClient();
  if (client.clientSecret === null) throw undecipherable(site);
  const of = (address: string) => address.replace('{tenant}', client.tenantId ?? 'common');
  const server = {
    issuer: of(site.issuer),
    authorization_endpoint: of(site.authorizationEndpoint),
    token_endpoint: of(site.tokenEndpoint),
  };
  const config = new library.Configuration(server, client.clientId, {}, library.ClientSecretPost(client.clientSecret));
  config[library.customFetch] = providerFetch() as openid.CustomFetch;
  config.timeout = providerTimeout / 1000;
  // Of a test: those of providers are https.
  if (server.issuer.startsWith('http:')) library.allowInsecureRequests(config);
  return [library, config];
}

/**
 * Prepares an authorization request.
 * @param username suggested at the provider
 * @throws MailboxProblem credentials if the client's secret can't be decrypted
 */
export async function authorizationRequest(
  provider: MailProvider,
  client: KnownClient,
  username: string,
): Promise<{ url: string; secrets: SignInSecrets }> {
  const site = mailProviders[provider];
  const [library, config] = await configuration(site, client);
  const secrets = { state: library.randomState(), codeVerifier: library.randomPKCECodeVerifier() };
  const url = library.buildAuthorizationUrl(config, {
    ...site.parameters,
    redirect_uri: redirectUri(),
    scope: site.scope,
    login_hint: username,
    state: secrets.state,
    code_challenge: await library.calculatePKCECodeChallenge(secrets.codeVerifier),
    code_challenge_method: 'S256',
  });
  return { url: url.href, secrets };
}

/** Why it failed, in words for people. @param grant what the provider was given */
function problemOf(error: unknown, { name }: MailProviderSite, grant: 'code' | 'refresh token'): MailboxProblem {
  if (error instanceof MailboxProblem) return error;
  // Never the error itself: it may hold tokens.
  log().warn({ ...loggableError(error) }, 'A provider of mailboxes refused a sign-in.');
  const errors = errorChain(error) as { error?: unknown; error_description?: unknown; code?: unknown }[];
  const answered = errors.find((each) => typeof each.error === 'string');
  const description = typeof answered?.error_description === 'string' ? answered.error_description : undefined;
  switch (answered?.error) {
    case undefined:
      break;
    case 'access_denied':
      return new MailboxProblem('credentials', `${name} was not allowed to let Frontdesk into the mailbox.${said(description)}`);
    case 'invalid_client':
    case 'unauthorized_client':
      return new MailboxProblem('credentials', `${name} refused the client ID or its secret.${said(description)}`);
    case 'invalid_grant':
      return grant === 'code'
        ? new MailboxProblem('credentials', 'The sign-in took too long, or was used before. Try again.')
        : new MailboxProblem(
            'credentials',
            `${name} no longer lets Frontdesk into this mailbox. Sign in again.${said(description)}`,
          );
    default:
      return new MailboxProblem('protocol', `${name} refused the sign-in.${said(description ?? String(answered?.error))}`);
  }
  const isAnswer = errors.some(({ code }) => typeof code === 'string' && code.startsWith('OAUTH_') && code !== 'OAUTH_TIMEOUT');
  return isAnswer
    ? new MailboxProblem('protocol', `${name} answered in a way that can’t be understood.`)
    : new MailboxProblem('unreachable', `${name} can’t be reached.`);
}

function tokensOf(answer: openid.TokenEndpointResponse & openid.TokenEndpointResponseHelpers, site: MailProviderSite): Tokens {
  const { access_token: accessToken, refresh_token: refreshToken } = answer;
  if (accessToken.length > tokenMaximum || (refreshToken?.length ?? 0) > tokenMaximum) {
    throw new MailboxProblem('protocol', `${site.name} answered in a way that can’t be understood.`);
  }
  const seconds = answer.expiresIn() ?? usualLifetime;
  return {
    accessToken,
    expiresAt: new Date(Date.now() + seconds * 1000),
    ...(refreshToken === undefined ? {} : { refreshToken }),
  };
}

/**
 * Exchanges the code of a provider's answer.
 * @param query of the page that it led back to, undecoded; its `state` was compared
 * @throws MailboxProblem that says what is wrong
 */
export async function exchangeCode(
  provider: MailProvider,
  client: KnownClient,
  query: string,
  { state, codeVerifier }: SignInSecrets,
): Promise<Tokens & { refreshToken: string }> {
  const site = mailProviders[provider];
  try {
    const [library, config] = await configuration(site, client);
    const given = new URLSearchParams(query);
    const answer = new URL(redirectUri());
    // The rest is for others: who answers is known, so its `iss` says nothing (RFC 9207).
    for (const name of ['code', 'state', 'error', 'error_description']) {
      const value = given.get(name);
      if (value !== null) answer.searchParams.set(name, value);
    }
    const tokens = tokensOf(
      await library.authorizationCodeGrant(config, answer, { expectedState: state, pkceCodeVerifier: codeVerifier }),
      site,
    );
    const { refreshToken } = tokens;
    if (refreshToken === undefined) {
      throw new MailboxProblem('protocol', `${site.name} gave no permission to read the mailbox later. Try again.`);
    }
    return { ...tokens, refreshToken };
  } catch (error) {
    throw problemOf(error, site, 'code');
  }
}

/** Gets a further access token. @throws MailboxProblem that says what is wrong */
export async function refreshTokens(provider: MailProvider, client: KnownClient, refreshToken: string): Promise<Tokens> {
  const site = mailProviders[provider];
  try {
    const [library, config] = await configuration(site, client);
    return tokensOf(await library.refreshTokenGrant(config, refreshToken), site);
  } catch (error) {
    throw problemOf(error, site, 'refresh token');
  }
}
