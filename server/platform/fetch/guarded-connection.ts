import type { LookupFunction } from 'node:net';
import { Agent, type Dispatcher } from 'undici';
import { env } from '../env';
import { checkAddress, checkedUrl } from './destination';
import { OutboundFailed, OutboundRefused } from './outbound-error';
import { hostResolver } from './resolve-host';

/**
 * Connections to user-chosen addresses, protected against SSRF: a user could otherwise make this server reach its own ports, the
 * internal network or a cloud's metadata service. The check runs at connection time, on the resolved addresses that are then
 * connected to. So a name can't change in between (DNS rebinding).
 */

/** Maximum size of all response headers, in bytes. */
const maximumHeaderBytes = 16 * 1024;

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

interface AgentOptions {
  /** Aborts connecting. */
  signal: AbortSignal;
  /** Replaces the system's resolver. */
  lookup?: LookupFunction | undefined;
}

/**
 * A connection for one request: one checked for another address or port is never reused. Proxies of the environment are not used
 * either.
 */
export function guardedAgent(url: URL, { signal, lookup = hostResolver(signal) }: AgentOptions): Agent {
  return new Agent({
    // The connector needs the signal too: undici observes that of a request only once connected.
    connect: { lookup: checkingLookup(url, lookup), signal, timeout: 0 },
    maxHeaderSize: maximumHeaderBytes,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

interface ReadOptions {
  /** What came before the connection failed is enough. */
  mayEndEarly?: boolean;
}

/** The beginning of a body; receiving ends there. */
export async function readUpTo(
  body: Dispatcher.ResponseData['body'],
  maximumBytes: number,
  { mayEndEarly = false }: ReadOptions = {},
) {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maximumBytes) break; // ends the connection
    }
  } catch (error) {
    if (!mayEndEarly) throw error;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maximumBytes), truncated: size > maximumBytes };
}

/** A readable description of a failure; the cause is kept for the log. */
export function failureOf(error: unknown, { hostname }: URL, signal: AbortSignal, reason = "can't be reached"): Error {
  if (error instanceof OutboundRefused || error instanceof OutboundFailed) return error;
  if (signal.aborted) return new OutboundFailed(`${hostname} does not answer in time.`, { cause: error });
  return new OutboundFailed(`${hostname} ${reason}.`, { cause: error });
}

/** How long a name may take to resolve when an address is only checked, in milliseconds. */
const lookupLimit = 5_000;

/**
 * Checks an address that requests will be sent to later. A name that can't be resolved now is accepted, since every connection is
 * checked again.
 * @throws OutboundRefused if the address is forbidden
 */
export async function checkDestination(address: string, lookup?: LookupFunction): Promise<void> {
  const url = checkedUrl(address, env().OUTBOUND_ALLOWLIST);
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const deadline = AbortSignal.timeout(lookupLimit);
  await new Promise<void>((resolve, reject) => {
    deadline.addEventListener('abort', () => resolve());
    checkingLookup(url, lookup ?? hostResolver(deadline))(hostname, {}, (error) => {
      if (error instanceof OutboundRefused) reject(error);
      else resolve();
    });
  });
}
