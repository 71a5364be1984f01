import type { Readable } from 'node:stream';
import type { RequestIds } from '../actor';
import type { MeasuredBody } from './large-bodies';
import type { BodySource } from './request-body';

/** Transport-independent requests and responses; node-adapter.ts converts Node's. */

export interface HttpRequest extends BodySource {
  method: string;
  /** Undecoded, with the route's prefix. */
  pathname: string;
  /** Undecoded, without the question mark. */
  query: string;
  /** Sent in the response and the log: the client's own if it sent one. */
  requestId: string;
  /** As recorded in the audit log. */
  ids: RequestIds;
  body: (NonNullable<BodySource['body']> & MeasuredBody) | null;
  /** The caller's IP address. */
  clientAddress: string;
  /** Aborted when the client has disconnected; made on first use. */
  readonly gone?: AbortSignal;
}

export interface HttpAnswer {
  status: number;
  /** Without the common ones (`commonHeaders`). */
  headers: Record<string, string>;
  /** Values of `Set-Cookie`, the one header that may repeat. */
  cookies?: string[];
  /** Null if the response has no body. A stream without a Content-Length header is sent in chunks. */
  body: string | Buffer | Readable | null;
}
