import { Agent, type OutgoingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import { createHttpServer, type Timeouts } from '@/server/platform/http/http-server';
import { httpRoutes } from '@/server/registry';

export interface Call {
  key?: string;
  headers?: OutgoingHttpHeaders;
  /** Sent as JSON, with its content type. */
  json?: unknown;
  /** Sent unchanged, for bodies that JSON.stringify does not write. */
  body?: string | Uint8Array;
}

export interface Answer {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string | undefined>;
  /** Values of `Set-Cookie`. */
  cookies: string[];
  text: string;
  /** The raw body. */
  bytes: Buffer;
  /** The parsed JSON body; undefined if there is none. */
  body: unknown;
}

/** Sends requests that browsers' `fetch` would refuse or normalize: any path, any method, a body with all of them. */
export interface CallServer {
  (method: string, path: string, call?: Call): Promise<Answer>;
  port(): number;
}

/**
 * Serves the API of this process over HTTP while the calling test file runs; pages return 418. Call it after
 * `withFreshDatabase`.
 */
export function withHttpServer(patience?: Partial<Timeouts>): CallServer {
  const http = createHttpServer(httpRoutes, patience);
  const agent = new Agent({ keepAlive: true });

  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      http.server.listen(0, '127.0.0.1', resolve);
    });
    http.open((_request, response) => {
      response.writeHead(418).end();
    });
  });

  afterAll(async () => {
    agent.destroy();
    await http.close();
  });

  const port = () => (http.server.address() as AddressInfo).port;
  const send = (method: string, path: string, call: Call = {}): Promise<Answer> => {
    const body = call.json === undefined ? call.body : JSON.stringify(call.json);
    const headers = {
      ...(call.json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(call.key === undefined ? {} : { authorization: `Bearer ${call.key}` }),
      ...(body === undefined || call.headers?.['transfer-encoding'] ? {} : { 'content-length': Buffer.byteLength(body) }),
      ...call.headers,
    };
    return new Promise((resolve, reject) => {
      const outgoing = request({ host: '127.0.0.1', port: port(), method, path, headers, agent }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString();
          const isPlain = incoming.headers['content-encoding'] === undefined && text !== '';
          const isJson = incoming.headers['content-type']?.startsWith('application/json') && isPlain;
          resolve({
            status: incoming.statusCode ?? 0,
            headers: Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])),
            cookies: incoming.headers['set-cookie'] ?? [],
            text,
            bytes,
            body: isJson ? JSON.parse(text) : undefined,
          });
        });
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  };
  return Object.assign(send, { port });
}
