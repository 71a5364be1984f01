import type { ErrorFacts } from './error-facts';

/** What next-auth answers: where it would lead to, with the reason of a refusal in it. */
export interface NextAuthAnswer {
  ok: boolean;
  url: string;
}

/**
 * Calls one of next-auth's actions, with the token that proves the call comes from our page. These two requests are all we need of
 * next-auth/react, which would be 13 kB on every page.
 *
 * @throws what `errorFacts` reads, where the server can't be reached or does not answer as next-auth
 */
export async function callNextAuth(
  action: 'callback/credentials' | 'signout',
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
