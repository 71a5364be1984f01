import { Agent, request } from 'undici';
import { env } from '../env';
import { checkedUrl } from './destination';
import { guardedAgent, readUpTo } from './guarded-connection';
import { OutboundFailed } from './outbound-error';

/** Requests to providers at which people sign in (OAuth 2.0 and OpenID Connect). */

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

type ProviderFetch = (address: string, request: ProviderRequest) => Promise<Response>;

/**
 * Makes requests to a provider, bounded in time and size; redirects are not followed. Hosts have to be public, or in OUTBOUND_ALLOWLIST: a
 * provider's own documents may name others than its own.
 *
 * @param trusted an address of the host that the operator has chosen, and that may be private
 * @returns a function that throws OutboundRefused and OutboundFailed
 */
export const providerFetch =
  (trusted?: string): ProviderFetch =>
  async (address, { method, headers, body }) => {
    const signal = AbortSignal.timeout(providerTimeout);
    const given = new URL(address);
    const isTrusted = trusted !== undefined && given.origin === new URL(trusted).origin;
    const url = isTrusted ? given : checkedUrl(address, env().OUTBOUND_ALLOWLIST);
    const agent = isTrusted ? new Agent({ maxHeaderSize: 16 * 1024 }) : guardedAgent(url, { signal });
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
  };
