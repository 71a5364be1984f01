import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, type Dispatcher, request } from 'undici';
import { env } from '../env';
import { checkAddress, checkedUrl } from './destination';
import { OutboundFailed, OutboundRefused } from './outbound-error';

/**
 * Requests to user-chosen addresses, protected against SSRF: a user could otherwise make this server reach its own ports, the
 * internal network or a cloud's metadata service. The check runs at connection time, on the resolved addresses that are then
 * connected to, and again after every redirect. So a name can't change in between (DNS rebinding).
 */

/** Maximum size of all response headers, in bytes. */
const maximumHeaderBytes = 16 * 1024;
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

/** Wraps `resolve`; fails if any returned address is forbidden. Only the returned addresses are connected to. */
function checkingLookup(url: URL, resolve: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const addresses = Array.isArray(found) ? found : [{ address: found, family: found.includes(':') ? 6 : 4 }];
      const [first] = addresses;
      if (!first) return callback(new Error(`${hostname} has no address`), []);
      try {
        // One forbidden address is enough to refuse: a name with both kinds is meant to bypass the check.
        for (const { address } of addresses) checkAddress(url, address, env().OUTBOUND_ALLOWLIST);
      } catch (refused) {
        return callback(refused as Error, []);
      }
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

async function readUpTo(body: Dispatcher.ResponseData['body'], maximumBytes: number) {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maximumBytes) break; // ends the connection
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maximumBytes), truncated: size > maximumBytes };
}

/** One request without redirects: returns the next location or the response. */
async function fetchOnce(
  url: URL,
  options: GuardedFetchOptions,
  signal: AbortSignal,
): Promise<GuardedResponse | { location: string }> {
  // A separate connection for each request: one checked for another address or port is never reused. Proxies of the environment
  // are not used either.
  const agent = new Agent({
    // The connector needs the signal too: undici observes that of a request only once connected.
    connect: { lookup: checkingLookup(url, options.lookup ?? dns.lookup), signal, timeout: 0 },
    maxHeaderSize: maximumHeaderBytes,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
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

/** A readable description of a failure; the cause is kept for the log. */
function failure(error: unknown, url: URL, signal: AbortSignal): Error {
  if (error instanceof OutboundRefused || error instanceof OutboundFailed) return error;
  if (signal.aborted) return new OutboundFailed(`${url.hostname} does not answer in time.`, { cause: error });
  return new OutboundFailed(`${url.hostname} can't be reached.`, { cause: error });
}

/**
 * Sends a GET to a user-chosen address: http and https, public addresses on ports 80 and 443, and those in OUTBOUND_ALLOWLIST.
 * Sends no cookies or credentials, accepts no compressed responses, and holds at most `maximumBytes` plus one chunk in memory.
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
      throw failure(error, current, signal);
    });
    if (!('location' in answer)) return answer;
    url = checkedUrl(answer.location, env().OUTBOUND_ALLOWLIST, current);
  }
  throw new OutboundFailed(`${url.hostname} redirects too often.`);
}
