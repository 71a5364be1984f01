import type { ErrorFacts } from './error-facts';

/** A response of next-auth: the redirect address, which contains the reason of a refusal. */
export interface NextAuthAnswer {
  ok: boolean;
  url: string;
}

/**
 * Calls one of next-auth's actions, with the CSRF token. These two requests are all we need of next-auth/react, which would be
 * 13 kB on every page.
 *
 * @throws errors that `errorFacts` understands, if the server can't be reached or its response is not next-auth's
 */
export async function callNextAuth(
  action: 'callback/credentials' | 'callback/passkey' | 'signout',
  fields: Record<string, string>,
): Promise<NextAuthAnswer> {
  const csrf = await fetch('/api/auth/csrf');
  if (!csrf.ok) throw new Error(`next-auth answered ${csrf.status}`);
  const { csrfToken } = (await csrf.json()) as { csrfToken: string };
  const response = await fetch(`/api/auth/${action}`, {
    method: 'POST',
    body: new URLSearchParams({ ...fields, csrfToken, callbackUrl: '/', json: 'true' }),
  });
  const { url, code, message, requestId } = (await response.json()) as Partial<NextAuthAnswer & ErrorFacts>;
  if (url === undefined) throw Object.assign(new Error(message), { data: { code, requestId } });
  return { ok: response.ok, url };
}
