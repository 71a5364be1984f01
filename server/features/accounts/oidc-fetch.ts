import { Agent, request } from 'undici';
import { env } from '@/server/platform/env';
import { checkedUrl } from '@/server/platform/fetch/destination';
import { guardedAgent, readUpTo } from '@/server/platform/fetch/guarded-connection';
import { OutboundFailed } from '@/server/platform/fetch/outbound-error';

/** Total time of one request to the provider, in milliseconds. */
export const providerTimeout = 5_000;
/** Discovery documents, keys and tokens of real providers have at most some ten kilobytes. */
const maximumBytes = 256 * 1024;
/** With a Response, these may have no body. */
const emptyStatuses = new Set([204, 205, 304]);

interface ProviderRequest {
  method: string;
  headers: Record<string, string>;
  body?: unknown;
}

/** Text of openid-client's bodies: forms, or none. */
function bodyText(body: unknown): string | undefined {
  return body === undefined || body === null ? undefined : String(body);
}

/**
 * A request to the OpenID Connect provider, bounded in time and size; redirects are not followed. The issuer's host was chosen
 * by the operator and may be private. Other hosts are named by the provider's own documents: those have to be public, or in
 * OUTBOUND_ALLOWLIST.
 *
 * @throws OutboundRefused, OutboundFailed
 */
export async function providerFetch(address: string, { method, headers, body }: ProviderRequest): Promise<Response> {
  const issuer = new URL(env().OIDC_ISSUER ?? '');
  const signal = AbortSignal.timeout(providerTimeout);
  const given = new URL(address);
  const isIssuer = given.host === issuer.host && given.protocol === issuer.protocol;
  const url = isIssuer ? given : checkedUrl(address, env().OUTBOUND_ALLOWLIST);
  const agent = isIssuer ? new Agent({ maxHeaderSize: 16 * 1024 }) : guardedAgent(url, { signal });
  try {
    const answer = await request(url, {
      method: method as 'GET' | 'POST',
      headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': 'Frontdesk' },
      body: bodyText(body) ?? null,
      dispatcher: agent,
      signal,
    });
    if ((answer.headers['content-encoding'] ?? 'identity') !== 'identity')
      throw new OutboundFailed(`${url.hostname} answers in a compressed form.`);
    const { bytes, truncated } = await readUpTo(answer.body, maximumBytes);
    if (truncated) throw new OutboundFailed(`${url.hostname} answers with more than ${maximumBytes} bytes.`);
    const contentType = [answer.headers['content-type'] ?? []].flat()[0];
    return new Response(emptyStatuses.has(answer.statusCode) ? null : new Uint8Array(bytes), {
      status: answer.statusCode,
      headers: contentType === undefined ? {} : { 'content-type': contentType },
    });
  } finally {
    await agent.destroy();
  }
}
