import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { env } from '@/server/platform/env';

/** Set by our HTTP server on every request; overwrites any value from the client. */
export const clientAddressHeader = 'x-frontdesk-client-address';

/**
 * The client's IP address. If the peer is in TRUSTED_PROXIES (by default this machine), the last entry of X-Forwarded-For
 * counts, which that proxy wrote; a client can forge earlier entries.
 */
export function clientAddressOf(request: IncomingMessage): string {
  const peer = (request.socket.remoteAddress ?? 'unknown').replace(/^::ffff:/, '');
  const forwarded = request.headers['x-forwarded-for'];
  if (!forwarded || !env().TRUSTED_PROXIES.check(peer, isIPv6(peer) ? 'ipv6' : 'ipv4')) return peer;
  return String(forwarded).split(',').at(-1)?.trim() || peer;
}
