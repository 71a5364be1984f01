import type { AuthOptions } from 'next-auth';
import CredentialsProvider from 'next-auth/providers/credentials';
import { authSecret, cookiesAreSecure, type SessionClaims, sessionCookieName, sessionMaxAge } from '@/server/auth/session-token';
import { log } from '@/server/log';
import { signInInput } from '@/server/modules/account/account.schema';
import { signIn } from '@/server/modules/account/account.service';
import { clientAddressHeader } from './client-address';

/**
 * next-auth reports a refusal as the message of what `authorize` throws, in the URL it answers with. These are the only messages it
 * gets to report; app/(auth)/sign-in turns them into words.
 */
const throttled = (seconds: number) => new Error(`throttled:${seconds}`);
const unavailable = () => new Error('unavailable');

async function authorize(
  credentials: Record<string, unknown> | undefined,
  address: string,
): Promise<(SessionClaims & { id: string }) | null> {
  const input = signInInput.safeParse(credentials);
  if (!input.success) return null;
  const result = await signIn(input.data.email, input.data.password, address).catch((error: unknown) => {
    log().error({ err: error }, 'sign-in failed');
    throw unavailable();
  });
  if ('user' in result) return { id: result.user.id, userId: result.user.id, epoch: result.user.sessionEpoch };
  if (result.refused === 'throttled') throw throttled(result.retryAfter);
  return null;
}

/** How next-auth signs people in: e-mail and password, and a session in an encrypted cookie that auth/session-token.ts reads. */
export function nextAuthOptions(): AuthOptions {
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
      CredentialsProvider({
        credentials: { email: {}, password: {} },
        authorize: (credentials, request) => authorize(credentials, String(request.headers?.[clientAddressHeader] ?? 'unknown')),
      }),
    ],
    callbacks: {
      // `user` is there at sign-in only; later calls renew the token as it is.
      jwt: ({ token, user }) => {
        const { userId, epoch } = (user ?? token) as Partial<SessionClaims>;
        return { userId, epoch };
      },
      // The browser has no use for the session's content: pages ask account.get.
      session: ({ session }) => ({ expires: session.expires }),
    },
    logger: {
      error: (code, metadata) => {
        // A wrong password is no fault of the service.
        if (code !== 'SIGNIN_CREDENTIALS_ERROR') log().warn({ code, metadata }, 'next-auth');
      },
      warn: () => {},
      debug: () => {},
    },
  };
}
