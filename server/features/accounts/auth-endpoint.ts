import type { NextApiRequest, NextApiResponse } from 'next';
import type { AuthOptions } from 'next-auth';
import { publicUrl } from '@/server/platform/env';
import { AppError, invalidFields } from '@/server/platform/errors';
import { clientAddressHeader } from '@/server/platform/http/client-address';
import type { HttpAnswer, HttpRequest } from '@/server/platform/http/http-message';
import type { HttpRoute } from '@/server/platform/http/http-route';
import { anonymousBodyBytes, mediaTypeOf, parseJson, readBytes } from '@/server/platform/http/request-body';
import { ownRequestIdHeader } from '@/server/platform/http/request-id';
import { apiSecurityHeaders } from '@/server/platform/http/security-headers';
import { oncePerProcess } from '@/server/platform/process-globals';
import { defaultOf } from './commonjs-default';
import { nextAuthOptions } from './next-auth';

/** Endpoints for sign-in, sign-out and session renewal. */
const authPrefix = '/api/auth';

/**
 * The allowed next-auth actions, by the path below the prefix. The others serve sign-in methods that we do not offer; one of
 * them logs its input unfiltered.
 */
const actions: Record<string, readonly string[]> = {
  csrf: ['GET'],
  providers: ['GET'],
  session: ['GET'],
  error: ['GET'],
  signin: ['GET'],
  signout: ['GET', 'POST'],
  'signin/credentials': ['POST'],
  'callback/credentials': ['POST'],
  'callback/passkey': ['POST'],
};

type NextAuthHandler = (request: NextApiRequest, response: NextApiResponse, options: AuthOptions) => Promise<void>;

/** Loaded with the first request, because it has many dependencies that would slow down the start. */
function nextAuth(): Promise<NextAuthHandler> {
  return oncePerProcess('next-auth', async () => {
    const { default: loaded } = (await import('next-auth')) as unknown as { default: NextAuthHandler };
    return defaultOf(loaded);
  });
}

/** The parts of the path below the prefix. */
function actionOf({ method, pathname }: HttpRequest): string[] {
  const action = pathname.slice(authPrefix.length + 1);
  const methods = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (!methods) throw new AppError('not_found', `There is nothing at ${pathname}.`);
  if (methods.includes(method === 'HEAD' ? 'GET' : method)) return action.split('/');
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ');
  throw new AppError('method_not_allowed', `This path has: ${allow}.`, { headers: { Allow: allow } });
}

function cookiesOf(header: string | null): Record<string, string> {
  const cookies: Record<string, string> = Object.create(null);
  for (const part of header?.split(';') ?? []) {
    const separator = part.indexOf('=');
    if (separator <= 0) continue;
    const value = part.slice(separator + 1).trim();
    try {
      cookies[part.slice(0, separator).trim()] ??= decodeURIComponent(value);
    } catch {
      // Not one of our cookies.
    }
  }
  return cookies;
}

/** @throws AppError unsupported_media_type, payload_too_large, invalid_request for anything but a flat set of strings */
async function fieldsOf(request: HttpRequest): Promise<Record<string, string>> {
  const type = mediaTypeOf(request);
  const isForm = type === 'application/x-www-form-urlencoded';
  if (!isForm && type !== 'application/json') {
    throw new AppError('unsupported_media_type', 'Send the fields as application/x-www-form-urlencoded or application/json.');
  }
  const bytes = await readBytes(request, anonymousBodyBytes);
  const sent = isForm ? Object.fromEntries(new URLSearchParams(Buffer.from(bytes).toString())) : parseJson(bytes);
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    throw invalidFields({ body: 'must be a JSON object' });
  }
  const wrong = Object.keys(sent).filter((name) => typeof (sent as Record<string, unknown>)[name] !== 'string');
  if (wrong.length > 0) throw invalidFields(Object.fromEntries(wrong.slice(0, 10).map((name) => [name, 'must be text'])));
  return sent as Record<string, string>;
}

function isAddress(text: string): boolean {
  return text.startsWith('/') ? URL.canParse(text, publicUrl()) : /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** Drops a redirect URL that is invalid: next-auth would treat it as a server error. */
function withAddress(fields: Record<string, string>, name: string): Record<string, string> {
  const { [name]: address = '', ...others } = fields;
  return isAddress(address) ? fields : others;
}

/** The headers that next-auth and our own options read; without PUBLIC_URL, next-auth derives our address from them. */
function headersFor({ headers, ids, clientAddress }: HttpRequest): Record<string, string> {
  const plain = /^[\w.:[\]-]+$/;
  const host = [headers.get('x-forwarded-host'), headers.get('host')].find((name) => name !== null && plain.test(name));
  return {
    host: host ?? 'localhost',
    'x-forwarded-proto': headers.get('x-forwarded-proto') === 'https' ? 'https' : 'http',
    'user-agent': headers.get('user-agent') ?? '',
    cookie: headers.get('cookie') ?? '',
    [clientAddressHeader]: clientAddress,
    [ownRequestIdHeader]: ids.requestId,
  };
}

/** The response that next-auth writes to: the subset of Next.js' response that it uses. */
class AuthResponse {
  code = 200;
  readonly headers = new Map<string, string>();
  cookies: string[] = [];
  body = '';

  status(code: number): this {
    this.code = code;
    return this;
  }

  getHeader(name: string): string[] | undefined {
    return name.toLowerCase() === 'set-cookie' ? this.cookies : undefined;
  }

  setHeader(name: string, value: string | string[]): this {
    if (name.toLowerCase() === 'set-cookie') this.cookies = [value].flat();
    else this.headers.set(name, String(value));
    return this;
  }

  json(value: unknown): void {
    this.headers.set('Content-Type', 'application/json; charset=utf-8');
    this.body = JSON.stringify(value);
  }

  send(value: unknown): void {
    if (typeof value === 'object' && value !== null) this.json(value);
    else this.body = String(value ?? '');
  }

  end(): void {}
}

async function answer(request: HttpRequest): Promise<HttpAnswer> {
  const nextauth = actionOf(request);
  const method = request.method === 'POST' ? 'POST' : 'GET';
  const answered = new AuthResponse();
  const extraCookies: string[] = [];
  const failures: unknown[] = [];
  const options = nextAuthOptions({
    setCookie: (cookie) => extraCookies.push(cookie),
    fail: (error) => failures.push(error),
  });
  const sent = Object.fromEntries(new URLSearchParams(request.query));
  const message = {
    method,
    query: { ...withAddress(sent, 'callbackUrl'), nextauth },
    body: method === 'POST' ? withAddress(await fieldsOf(request), 'callbackUrl') : undefined,
    cookies: withAddress(cookiesOf(request.headers.get('cookie')), options.cookies?.callbackUrl?.name ?? ''),
    headers: headersFor(request),
  };
  const handle = await nextAuth();
  await handle(message as unknown as NextApiRequest, answered as unknown as NextApiResponse, options);
  if (failures.length > 0) throw failures[0];
  return {
    status: answered.code,
    headers: { ...Object.fromEntries(answered.headers), ...apiSecurityHeaders() },
    cookies: [...answered.cookies, ...extraCookies],
    body: answered.body,
  };
}

/** `/api/auth/…`: sign-in, sign-out and session renewal, handled by next-auth. */
export const authRoute: HttpRoute = { prefix: authPrefix, answer };
