import type * as oidc from 'openid-client';
import { sessionLifetime } from '@/server/platform/auth/session-token';
import { env, publicUrl } from '@/server/platform/env';
import { openidClient } from '@/server/platform/fetch/openid-client';
import { loggableError } from '@/server/platform/fetch/provider-error';
import { providerFetch, providerTimeout } from '@/server/platform/fetch/provider-fetch';
import { log } from '@/server/platform/log';
import { oncePerProcess, setForProcess } from '@/server/platform/process-globals';
import { ProviderProblem, refusalOf } from './oidc-refusal';

/** The OpenID Connect provider as openid-client knows it, and the two requests of the authorization code flow. */

/** Path of the provider's answer; the operator registers it with the provider. */
const callbackPath = '/api/auth/oidc/callback';

/** How long a discovery document is used, in milliseconds: keys are fetched again when one is unknown. */
const discoveryLifetime = 60 * 60_000;
/** After a failure, the provider is left in peace for this time. */
const retryAfter = 3_000;

interface Known {
  /** Of the settings that it was made for. */
  key: string;
  config: Promise<oidc.Configuration>;
  until: number;
}

/** True if single sign-on is set up. */
export function isSingleSignOnOn(): boolean {
  return env().OIDC_ISSUER !== undefined;
}

/** The provider's identifier. @throws Error where single sign-on is off; callers check `isSingleSignOnOn` */
export function issuerOf(): string {
  const { OIDC_ISSUER } = env();
  if (OIDC_ISSUER === undefined) throw new Error('Single sign-on is not set up.');
  return OIDC_ISSUER;
}

async function discover(): Promise<oidc.Configuration> {
  const client = await openidClient();
  const { OIDC_CLIENT_ID = '', OIDC_CLIENT_SECRET = '' } = env();
  const issuer = new URL(issuerOf());
  const fetchIt = providerFetch(issuer.href);
  const isPlain = issuer.protocol === 'http:';
  const discovered = await client.discovery(issuer, OIDC_CLIENT_ID, {}, client.None(), {
    [client.customFetch]: fetchIt as oidc.CustomFetch,
    execute: isPlain ? [client.allowInsecureRequests] : [],
    timeout: providerTimeout / 1000,
  });
  const server = discovered.serverMetadata();
  // Without a list, the specification's default is Basic.
  const methods = server.token_endpoint_auth_methods_supported ?? [];
  const authentication = methods.includes('client_secret_post') ? client.ClientSecretPost : client.ClientSecretBasic;
  const config = new client.Configuration(server, OIDC_CLIENT_ID, {}, authentication(OIDC_CLIENT_SECRET));
  config[client.customFetch] = fetchIt as oidc.CustomFetch;
  config.timeout = providerTimeout / 1000;
  if (isPlain) client.allowInsecureRequests(config);
  // Checks signatures as well, although tokens come from the provider itself: TLS may end at a proxy.
  client.enableNonRepudiationChecks(config);
  return config;
}

/**
 * The provider's configuration, read again every hour, and soon after a failure.
 * @throws ProviderProblem `provider` if it can't be read
 */
async function configuration(): Promise<oidc.Configuration> {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = env();
  const key = JSON.stringify([OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET]);
  const known = oncePerProcess<Known | null>('oidc-configuration', () => null);
  if (known?.key === key && known.until > Date.now()) return known.config;
  const config = discover().catch((error: unknown) => {
    log().warn({ ...loggableError(error) }, 'The single sign-on provider can’t be read.');
    setForProcess('oidc-configuration', { ...next, until: Date.now() + retryAfter });
    throw new ProviderProblem('provider');
  });
  const next: Known = { key, config, until: Date.now() + discoveryLifetime };
  setForProcess('oidc-configuration', next);
  return config;
}

/** What binds the provider's answer to the request: all of it stays in the browser's sealed cookie. */
export interface FlowSecrets {
  state: string;
  nonce: string;
  /** PKCE (RFC 7636). */
  codeVerifier: string;
}

/** Prepares an authorization request. @param mustSignIn asks the person to sign in at the provider again */
export async function authorizationRequest(mustSignIn: boolean): Promise<{ url: string; secrets: FlowSecrets }> {
  const [client, config] = await Promise.all([openidClient(), configuration()]);
  const secrets = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    codeVerifier: client.randomPKCECodeVerifier(),
  };
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: `${publicUrl()}${callbackPath}`,
    scope: 'openid email',
    state: secrets.state,
    nonce: secrets.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(secrets.codeVerifier),
    code_challenge_method: 'S256',
    // With any maximum, a provider has to say when the person signed in there (auth_time).
    ...(mustSignIn ? { prompt: 'login', max_age: '0' } : { max_age: String(sessionLifetime) }),
  });
  return { url: url.href, secrets };
}

/** What the provider says of a person. */
export interface ProviderAccount {
  issuer: string;
  subject: string;
  /** Lower-cased; null if the provider gives none. */
  email: string | null;
  isEmailVerified: boolean;
  /** True if the provider asked for several factors (RFC 8176). */
  hasMultipleFactors: boolean;
  /** When the person signed in at the provider; null if it does not say. */
  signedInAt: Date | null;
}

/** Characters of a subject (OpenID Connect Core, section 2). */
const subjectMaximum = 255;

/**
 * Exchanges the code in the provider's answer and verifies state, nonce, PKCE, issuer, audience, times and signature.
 * @param query of the callback, undecoded
 * @throws ProviderProblem that says what is wrong
 */
export async function readAnswer(query: string, { state, nonce, codeVerifier }: FlowSecrets): Promise<ProviderAccount> {
  const [client, config] = await Promise.all([openidClient(), configuration()]);
  try {
    const tokens = await client.authorizationCodeGrant(config, new URL(`${publicUrl()}${callbackPath}?${query}`), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims || claims.sub.length > subjectMaximum) throw new ProviderProblem('token');
    const named = claims.email !== undefined || config.serverMetadata().userinfo_endpoint === undefined;
    const about = named ? claims : await client.fetchUserInfo(config, tokens.access_token, claims.sub);
    const email = typeof about.email === 'string' && about.email.length <= 254 ? about.email.trim().toLowerCase() : '';
    return {
      issuer: issuerOf(),
      subject: claims.sub,
      email: email === '' ? null : email,
      isEmailVerified: email !== '' && about.email_verified === true,
      hasMultipleFactors: Array.isArray(claims.amr) && claims.amr.includes('mfa'),
      signedInAt: typeof claims.auth_time === 'number' ? new Date(claims.auth_time * 1000) : null,
    };
  } catch (error) {
    if (error instanceof ProviderProblem) throw error;
    // Never the error itself: it holds tokens and claims.
    log().warn({ ...loggableError(error) }, 'A single sign-on was refused.');
    throw new ProviderProblem(refusalOf(error));
  }
}
