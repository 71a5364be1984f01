import type { AuthOptions } from 'next-auth';
import CredentialsProvider from 'next-auth/providers/credentials';
import { rememberBrowser, rememberedBrowserId } from '@/server/platform/auth/remembered-browser';
import { noteSecurityEvent } from '@/server/platform/auth/security-log';
import {
  authSecret,
  cookiesAreSecure,
  type SessionClaims,
  sessionCookieName,
  sessionMaxAge,
} from '@/server/platform/auth/session-token';
import { clientAddressHeader } from '@/server/platform/http/client-address';
import { ownRequestIdHeader } from '@/server/platform/http/request-id';
import { log } from '@/server/platform/log';
import { passkeySignInInput, signInInput } from './account.schema';
import { type SignInRequest, type SignInResult, signIn } from './account.service';
import { defaultOf } from './commonjs-default';
import { signInWithPasskey } from './passkey-sign-in.service';
import { admitSignIn, beginSession, type SignedInBrowser, signOut } from './session.service';

/**
 * next-auth reports a refusal as the message of the error thrown by `authorize`, in its response URL. These are the only
 * messages it may report; app/(auth)/sign-in translates them.
 */
class Refusal extends Error {
  override name = 'Refusal';
}

/** Results that next-auth's response cannot carry. */
export interface NextAuthHooks {
  /** Takes a `Set-Cookie` value. */
  setCookie(cookie: string): void;
  /** Takes a server-side error, so that it gets the usual error response instead of a refusal. */
  fail(error: unknown): void;
}

function refusalMessage(result: Exclude<SignInResult, { user: unknown } | { refused: 'credentials' }>): string {
  switch (result.refused) {
    case 'second_factor':
      return `second_factor:${result.methods.join(',')}`;
    case 'password_off':
      return result.refused;
    case 'throttled':
      return `throttled:${result.retryAfter}`;
    default:
      return `${result.refused}:${result.reason}`;
  }
}

type Credentials = Record<string, unknown> | undefined;

/** Checks what was sent; null for what can't be right. */
type Attempt = (credentials: Credentials, address: string, request: SignInRequest) => Promise<SignInResult> | null;

const withPassword: Attempt = (credentials, address, request) => {
  const { data } = signInInput.safeParse(credentials);
  if (!data) return null;
  return signIn(data.email, data.password, address, data.code, { ...request, passkey: data.passkey });
};

const withPasskey: Attempt = (credentials, address, request) => {
  const { data } = passkeySignInInput.safeParse(credentials);
  return data ? signInWithPasskey(data.passkey, address, request) : null;
};

async function authorize(
  attempt: Attempt,
  credentials: Credentials,
  headers: Record<string, unknown> = {},
  hooks: NextAuthHooks,
): Promise<(SessionClaims & { id: string }) | null> {
  const browser = browserOf(headers);
  const cookies = typeof headers.cookie === 'string' ? headers.cookie : null;
  const requestId = String(headers[ownRequestIdHeader] ?? '');
  try {
    const result = await attempt(credentials, browser.address, { cookies, requestId });
    if (result === null) return null;
    if ('user' in result) {
      const { id, sessionEpoch } = result.user;
      const tooMany = await admitSignIn(result.user, { cookies, address: browser.address, requestId });
      if (tooMany) {
        noteSecurityEvent(tooMany.event);
        throw new Refusal(refusalMessage({ refused: 'throttled', retryAfter: tooMany.retryAfter }));
      }
      const isKnown = rememberedBrowserId(cookies, id) !== null;
      const sessionId = await beginSession(id, { ...browser, isKnown });
      hooks.setCookie(rememberBrowser(cookies, id));
      return { id, userId: id, epoch: sessionEpoch, sessionId };
    }
    if (result.refused === 'credentials') return null;
    throw new Refusal(refusalMessage(result));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    hooks.fail(error);
    throw new Refusal('failed');
  }
}

function browserOf(headers: Record<string, unknown>): SignedInBrowser {
  return { userAgent: String(headers['user-agent'] ?? ''), address: String(headers[clientAddressHeader] ?? 'unknown') };
}

/** next-auth's options: a password with a second factor, or a passkey, and a session in an encrypted cookie that auth/session-token.ts reads. */
export function nextAuthOptions(hooks: NextAuthHooks): AuthOptions {
  const secure = cookiesAreSecure();
  const prefix = secure ? '__Host-frontdesk' : 'frontdesk';
  const options = { httpOnly: true, sameSite: 'lax', path: '/', secure } as const;
  return {
    secret: authSecret(),
    session: { strategy: 'jwt', maxAge: sessionMaxAge },
    pages: { signIn: '/sign-in', signOut: '/sign-in', error: '/sign-in' },
    useSecureCookies: secure,
    cookies: {
      sessionToken: { name: sessionCookieName(), options },
      csrfToken: { name: `${prefix}.csrf`, options },
      callbackUrl: { name: `${prefix}.callback`, options },
    },
    providers: [
      defaultOf(CredentialsProvider)({
        credentials: { email: {}, password: {}, code: {}, passkey: {} },
        authorize: (credentials, request) => authorize(withPassword, credentials, request.headers, hooks),
      }),
      defaultOf(CredentialsProvider)({
        id: 'passkey',
        name: 'Passkey',
        credentials: { passkey: {} },
        authorize: (credentials, request) => authorize(withPasskey, credentials, request.headers, hooks),
      }),
    ],
    callbacks: {
      // `user` is present at sign-in only; later calls renew the token unchanged.
      jwt: ({ token, user }) => {
        const { userId, epoch, sessionId } = (user ?? token) as Partial<SessionClaims>;
        return { userId, epoch, sessionId };
      },
      // The browser does not need the session's content: pages call account.get.
      session: ({ session }) => ({ expires: session.expires }),
    },
    events: {
      // The cookie is removed; without its row, a copy of it is invalid, too.
      signOut: async ({ token }) => {
        const { userId, sessionId } = (token ?? {}) as Partial<SessionClaims>;
        if (userId !== undefined && sessionId !== undefined) await signOut(userId, sessionId);
      },
    },
    logger: {
      error: (code, metadata) => {
        // A wrong password is not a fault of the service.
        if (code !== 'SIGNIN_CREDENTIALS_ERROR') log().warn({ code, metadata }, 'next-auth');
      },
      warn: () => {},
      debug: () => {},
    },
  };
}
