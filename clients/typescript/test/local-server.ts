import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createOn } from '../src/frontdesk.js';
import type { Clock } from '../src/retry.js';
import type { FrontdeskOptions } from '../src/transport.js';

/** A server that answers what a test tells it to, and a client of it that never really waits. */

export interface Scripted {
  status?: number;
  headers?: Record<string, string>;
  /** Sent as JSON; a string or bytes as they are. */
  body?: unknown;
  /** `hang`: never answers. `cut`: the connection breaks off within the body. `drop`: before any answer. */
  fault?: 'hang' | 'cut' | 'drop';
}

export interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

type Answering = (request: Received) => Scripted | undefined;

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function encode(body: unknown): string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
}

/** Answers the given in turn, or by a function; what came is in `received`. */
async function startServer(answers: Scripted[] | Answering) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const seen = { method: request.method, url: request.url, headers: request.headers, body };
    received.push(seen);
    const answer = typeof answers === 'function' ? answers(seen) : answers.shift();
    if (answer?.fault === 'hang') return;
    if (answer?.fault === 'drop') return void request.socket.destroy();
    if (!answer) return void response.writeHead(418).end();
    const { status = 200, headers = {}, body: content = {} } = answer;
    if (answer.fault === 'cut') {
      response.writeHead(status, { 'content-length': '1000', ...headers });
      return void response.write('{"a":', () => request.socket.destroy());
    }
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
    response.end(status === 304 ? undefined : encode(content));
  });
  return { baseUrl: await listen(server), received };
}

/** A clock that notes how long it was asked to sleep, and does not. Chance is at its lowest, so a delay is half of its backoff. */
export function stillClock(changes: Partial<Clock> = {}) {
  const slept: number[] = [];
  const clock: Clock = {
    now: () => Date.UTC(2026, 10, 21, 12),
    random: () => 0,
    sleep: async (milliseconds) => {
      slept.push(milliseconds);
    },
    ...changes,
  };
  return { clock, slept };
}

/** A scripted server, a client of it, and what both noted. */
export async function start(answers: Scripted[] | Answering, changes: Partial<FrontdeskOptions> = {}, time: Partial<Clock> = {}) {
  const { baseUrl, received } = await startServer(answers);
  const { clock, slept } = stillClock(time);
  const frontdesk = createOn(clock, { baseUrl, apiKey: 'sk_live_test', ...changes });
  return { frontdesk, baseUrl, received, slept };
}
