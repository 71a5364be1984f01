import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { commonHeaders } from './common-headers';
import { requestIdOf } from './request-id';
import { everyMethod } from './request-target';
import { apiSecurityHeaders } from './security-headers';

interface Refusal {
  status: string;
  code: string;
  error: string;
  message: string;
  headers?: Record<string, string>;
}

const unreadable: Refusal = {
  status: '400 Bad Request',
  code: 'invalid_request',
  error: 'Invalid request',
  message: 'The request could not be read.',
};

/** By Node's error code. */
const refusals: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: { ...unreadable, status: '431 Request Header Fields Too Large', message: 'The headers are too large.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: '413 Content Too Large',
    code: 'payload_too_large',
    error: 'Payload too large',
    message: 'The extensions of a chunk are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    code: 'request_timeout',
    error: 'Request timeout',
    message: 'The request did not come in time. Send it again.',
  },
};

const noProxy: Refusal = {
  status: '405 Method Not Allowed',
  code: 'method_not_allowed',
  error: 'Method not allowed',
  message: 'This server is not a proxy.',
  headers: { Allow: everyMethod },
};

/** Milliseconds to send the error before the connection is destroyed. */
const closeDelay = 2_000;

/**
 * Answers unparsable requests, oversized headers and timeouts; Node would answer without a body.
 * @param current the response in progress on this connection, if any
 */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex, current: ServerResponse | undefined): void {
  const isAnswering = current?.headersSent && !current.writableFinished;
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  // The response in progress is still sent, but nothing more is read.
  if (isAnswering) socket.end();
  else socket.end(answerOf(refusals[error.code ?? ''] ?? unreadable));
  closeSoon(socket);
}

/**
 * Answers CONNECT, for which Node has no response.
 * @param current the response in progress on this connection, if any; a second one would be mistaken for it, so the connection
 * is closed
 */
export function refuseConnect(socket: Duplex, current: ServerResponse | undefined): void {
  socket.on('error', () => socket.destroy());
  if (current && !current.writableFinished) return void socket.destroy();
  socket.end(answerOf(noProxy));
  closeSoon(socket);
}

function closeSoon(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), closeDelay);
  socket.once('close', () => clearTimeout(timer));
}

function answerOf({ status, headers: own, ...text }: Refusal): string {
  const requestId = requestIdOf(null);
  const body = JSON.stringify({ error: text.error, message: text.message, code: text.code, requestId });
  const headers = {
    ...apiSecurityHeaders(),
    ...own,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    ...commonHeaders(requestId),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`;
}
