import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { env } from '@/server/platform/env';

/** Set by our HTTP server on every request, over anything a client may have sent. */
export const clientAddressHeader = 'x-frontdesk-client-address';

/**
 * Where a request comes from. A peer among TRUSTED_PROXIES (this machine, unless set) is a reverse proxy: then the last entry of
 * X-Forwarded-For counts, which that proxy wrote; entries before it are the client's own say.
 */
export function clientAddressOf(request: IncomingMessage): string {
  const peer = (request.socket.remoteAddress ?? 'unknown').replace(/^::ffff:/, '');
  const forwarded = request.headers['x-forwarded-for'];
  if (!forwarded || !env().TRUSTED_PROXIES.check(peer, isIPv6(peer) ? 'ipv6' : 'ipv4')) return peer;
  return String(forwarded).split(',').at(-1)?.trim() || peer;
}
