import type { IncomingMessage } from 'node:http';

/** Set by our HTTP server on every request, over anything a client may have sent. */
export const clientAddressHeader = 'x-frontdesk-client-address';

const privateAddress = /^(::1|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|f[cd][0-9a-f]{2}:)/;

/**
 * Where a request comes from. A peer on this machine or a private network is taken for a reverse proxy: then the last entry of
 * X-Forwarded-For counts, which that proxy wrote; entries before it are the client's own say.
 */
export function clientAddressOf(request: IncomingMessage): string {
  const peer = (request.socket.remoteAddress ?? 'unknown').replace(/^::ffff:/, '');
  const forwarded = request.headers['x-forwarded-for'];
  if (!forwarded || !privateAddress.test(peer)) return peer;
  return String(forwarded).split(',').at(-1)?.trim() || peer;
}
