import type { Readable } from 'node:stream';
import type { BodySource } from './request-input';

/** Requests and answers as our own transports pass them on, whichever server speaks HTTP. */

/** A request; any HTTP server and the web's own Request can provide one. */
export interface RestRequest extends BodySource {
  method: string;
  /** Undecoded, from the leading `/api/v1` on. */
  pathname: string;
  /** Undecoded, without the question mark. */
  query: string;
}

export interface RestAnswer {
  status: number;
  headers: Record<string, string>;
  /** Null for an answer that has no body at all; a stream comes with its Content-Length in the headers. */
  body: string | Buffer | Readable | null;
}
