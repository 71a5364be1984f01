import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, type Dispatcher, request } from 'undici';
import { env } from '../env';
import { checkAddress, checkedUrl } from './destination';
import { OutboundFailed, OutboundRefused } from './outbound-error';

/**
 * Requests to addresses that a user can choose. Whoever can make a server send requests can make it knock at doors that only it can reach:
 * its own ports, the network around it, a cloud's metadata service (SSRF). So the check stands where the connection is made: the very
 * addresses a name resolves to are checked and then connected to, and again at every redirect. A name can't lead elsewhere in between
 * (DNS rebinding).
 */

/** All headers of a response, in bytes. */
const maximumHeaderBytes = 16 * 1024;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

export interface GuardedFetchOptions {
  /** The body is read up to here; what follows is not received. */
  maximumBytes: number;
  /** For all of it: names, connections, redirects, the body. */
  timeoutMilliseconds: number;
  /** Media types to ask for, as in the Accept header. */
  accept?: string;
  maximumRedirects?: number;
  /** Ends it early. */
  signal?: AbortSignal;
  /** In place of the system's resolver. */
  lookup?: LookupFunction;
}

export interface GuardedResponse {
  /** Any status but that of a redirect; it is the caller's to judge. */
  status: number;
  /** By lower-case name; a header that came several times is a list. */
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  /** Where the redirects ended. */
  finalUrl: string;
  /** True where the body goes on beyond `maximumBytes`. */
  truncated: boolean;
}

/** Resolves as `resolve` does, and fails where one of the addresses may not be connected to. Only what it returns is connected to. */
function checkingLookup(url: URL, resolve: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const addresses = Array.isArray(found) ? found : [{ address: found, family: found.includes(':') ? 6 : 4 }];
      const [first] = addresses;
      if (!first) return callback(new Error(`${hostname} has no address`), []);
      try {
        // One bad address is enough: a name that leads to both is made for getting past a check.
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

/** One request, no redirects: either where to go next, or the response. */
async function hop(url: URL, options: GuardedFetchOptions, signal: AbortSignal): Promise<GuardedResponse | { location: string }> {
  // A connection of its own: one that was checked for another address or port is never taken again. No proxy of the environment either.
  const agent = new Agent({
    // The signal here as well: undici minds that of a request only once there is a connection.
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
    // What expands while it is read has no bounds worth the name; a server that was asked for plain bytes has no reason for it.
    if (encoding !== undefined && encoding !== 'identity')
      throw new OutboundFailed(`${url.hostname} answers in a compressed form.`);
    const { bytes, truncated } = await readUpTo(body, options.maximumBytes);
    return { status: statusCode, headers, body: bytes, finalUrl: url.href, truncated };
  } finally {
    await agent.destroy();
  }
}

/** What went wrong, in words for people; the cause goes with it for the log. */
function failure(error: unknown, url: URL, signal: AbortSignal): Error {
  if (error instanceof OutboundRefused || error instanceof OutboundFailed) return error;
  if (signal.aborted) return new OutboundFailed(`${url.hostname} does not answer in time.`, { cause: error });
  return new OutboundFailed(`${url.hostname} can't be reached.`, { cause: error });
}

/**
 * GET of an address that a user chose: http and https, public addresses on the ports 80 and 443, and what OUTBOUND_ALLOWLIST names.
 * Sends no cookies or credentials, takes no compressed answers, and holds no more than `maximumBytes` and a chunk in memory.
 *
 * @throws OutboundRefused where it leads, or is redirected, to something that may not be reached
 * @throws OutboundFailed without a readable answer in time, or after more than `maximumRedirects` (3)
 */
export async function guardedFetch(address: string, options: GuardedFetchOptions): Promise<GuardedResponse> {
  const deadline = AbortSignal.timeout(options.timeoutMilliseconds);
  const signal = options.signal ? AbortSignal.any([deadline, options.signal]) : deadline;
  let url = checkedUrl(address, env().OUTBOUND_ALLOWLIST);
  for (let redirects = 0; redirects <= (options.maximumRedirects ?? 3); redirects++) {
    const current = url;
    const answer = await hop(current, options, signal).catch((error: unknown) => {
      throw failure(error, current, signal);
    });
    if (!('location' in answer)) return answer;
    url = checkedUrl(answer.location, env().OUTBOUND_ALLOWLIST, current);
  }
  throw new OutboundFailed(`${url.hostname} redirects too often.`);
}
