import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import { env } from '@/server/platform/env';

/** Set by our HTTP server on every request; overwrites any value from the client. */
export const clientAddressHeader = 'x-frontdesk-client-address';

/** Without the port that some proxies add, and an IPv4 address as such. */
const plain = (address: string) =>
  address.replace(/^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/, '$1$2').replace(/^::ffff:(?=[\d.]+$)/, '');

function isTrusted(address: string): boolean {
  return isIP(address) !== 0 && env().TRUSTED_PROXIES.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/**
 * The client's IP address. If the peer is in TRUSTED_PROXIES (by default this machine), it is the last entry of X-Forwarded-For
 * that is none of them: each proxy adds whom it heard from, and a client can forge all entries before its own.
 */
export function clientAddressOf(request: IncomingMessage): string {
  const peer = plain(request.socket.remoteAddress ?? 'unknown');
  const forwarded = request.headers['x-forwarded-for'];
  if (!forwarded || !isTrusted(peer)) return peer;
  const chain = [...String(forwarded).split(','), peer].map((entry) => plain(entry.trim()));
  // What follows an empty entry was heard from nobody.
  const known = chain.slice(chain.lastIndexOf('') + 1);
  return known.findLast((address) => !isTrusted(address)) ?? known[0] ?? peer;
}
