import type { Readable } from 'node:stream';
import type { RequestIds } from '../request-scope';
import type { BodySource } from './request-body';

/** Requests and answers as routes take and give them; node-adapter.ts makes them of Node's. */

export interface HttpRequest extends BodySource {
  method: string;
  /** Undecoded, with the route's prefix. */
  pathname: string;
  /** Undecoded, without the question mark. */
  query: string;
  /** Of the answer and the log: the client's own where it sent one. */
  requestId: string;
  /** As changes note them in the audit log. */
  ids: RequestIds;
  /** The caller's IP address. */
  clientAddress: string;
}

export interface HttpAnswer {
  status: number;
  /** Without those of every answer (`commonHeaders`). */
  headers: Record<string, string>;
  /** Values of `Set-Cookie`, the one header that comes several times. */
  cookies?: string[];
  /** Null for an answer that has no body at all; a stream comes with its Content-Length in the headers. */
  body: string | Buffer | Readable | null;
}
