import type { Readable } from 'node:stream';
import type { BodySource } from '../http/request-body';

/** Requests and answers as our own transports pass them on, whichever server speaks HTTP. */

/** A request; any HTTP server and the web's own Request can provide one. */
export interface RestRequest extends BodySource {
  method: string;
  /** Undecoded, with the prefix that its transport is mounted at. */
  pathname: string;
  /** Undecoded, without the question mark. */
  query: string;
}

export interface RestAnswer {
  status: number;
  headers: Record<string, string>;
  /** Values of `Set-Cookie`, the one header that comes several times. */
  cookies?: string[];
  /** Null for an answer that has no body at all; a stream comes with its Content-Length in the headers. */
  body: string | Buffer | Readable | null;
}
