import type { LookupFunction } from 'node:net';
import { request } from 'undici';
import { env } from '../env';
import { checkedUrl } from './destination';
import { failureOf, guardedAgent, readUpTo } from './guarded-connection';
import { OutboundFailed } from './outbound-error';

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

export interface GuardedFetchOptions {
  /** Maximum bytes of the body to read; the rest is not received. */
  maximumBytes: number;
  /** Total timeout: name resolution, connections, redirects, body. */
  timeoutMilliseconds: number;
  /** Accepted media types, as in the Accept header. */
  accept?: string;
  maximumRedirects?: number;
  /** Aborts the request. */
  signal?: AbortSignal;
  /** Replaces the system's resolver. */
  lookup?: LookupFunction;
}

export interface GuardedResponse {
  /** Any status except a redirect; the caller checks it. */
  status: number;
  /** By lower-case name; repeated headers are a list. */
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  /** The URL after all redirects. */
  finalUrl: string;
  /** True if the body is longer than `maximumBytes`. */
  truncated: boolean;
}

/** One request without redirects: returns the next location or the response. */
async function fetchOnce(
  url: URL,
  options: GuardedFetchOptions,
  signal: AbortSignal,
): Promise<GuardedResponse | { location: string }> {
  const agent = guardedAgent(url, { signal, lookup: options.lookup });
  try {
    const { statusCode, headers, body } = await request(url, {
      dispatcher: agent,
      signal,
      headers: { accept: options.accept ?? '*/*', 'accept-encoding': 'identity', 'user-agent': 'Frontdesk' },
    });
    const { location } = headers;
    if (redirectStatuses.has(statusCode) && typeof location === 'string') return { location };
    const encoding = headers['content-encoding'];
    // Decompressed size is unbounded, and a server asked for identity encoding has no reason to compress.
    if (encoding !== undefined && encoding !== 'identity')
      throw new OutboundFailed(`${url.hostname} answers in a compressed form.`);
    const { bytes, truncated } = await readUpTo(body, options.maximumBytes);
    return { status: statusCode, headers, body: bytes, finalUrl: url.href, truncated };
  } finally {
    await agent.destroy();
  }
}

/**
 * Sends a GET to a user-chosen address: http and https, public addresses on ports 80 and 443, and those in OUTBOUND_ALLOWLIST; checked
 * again after every redirect. Sends no cookies or credentials, accepts no compressed responses, and holds at most `maximumBytes` plus
 * one chunk in memory.
 * @throws OutboundRefused if the address, or a redirect, is forbidden
 * @throws OutboundFailed without a readable response in time, or after more than `maximumRedirects` (3)
 */
export async function guardedFetch(address: string, options: GuardedFetchOptions): Promise<GuardedResponse> {
  const deadline = AbortSignal.timeout(options.timeoutMilliseconds);
  const signal = options.signal ? AbortSignal.any([deadline, options.signal]) : deadline;
  let url = checkedUrl(address, env().OUTBOUND_ALLOWLIST);
  for (let redirects = 0; redirects <= (options.maximumRedirects ?? 3); redirects++) {
    const current = url;
    const answer = await fetchOnce(current, options, signal).catch((error: unknown) => {
      throw failureOf(error, current, signal);
    });
    if (!('location' in answer)) return answer;
    url = checkedUrl(answer.location, env().OUTBOUND_ALLOWLIST, current);
  }
  throw new OutboundFailed(`${url.hostname} redirects too often.`);
}
