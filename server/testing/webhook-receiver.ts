import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWebhookInput, type WebhookWithSecret } from '@/server/features/webhooks/webhook.schema';
import { createWebhook } from '@/server/features/webhooks/webhook.service';
import type { IdentityActor } from '@/server/platform/actor';

/** A request as a webhook's server gets it. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The same as it came. */
  bytes: Buffer;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that receives deliveries. OUTBOUND_ALLOWLIST has to name 127.0.0.1. */
export interface Receiver {
  url: string;
  received: Received[];
  /** How it answers from now on; by default with 204. */
  answerWith(answer: Answer | number): void;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let answer: Answer = (_request, response) => void response.writeHead(204).end();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    received.push({ path: request.url ?? '', headers: request.headers, body: bytes.toString(), bytes });
    answer(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answerWith: (next) => {
      answer = typeof next === 'number' ? (_request, response) => void response.writeHead(next).end('no') : next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Adds a webhook. */
export function addWebhook(actor: IdentityActor, url: string, events = ['customer.*']): Promise<WebhookWithSecret> {
  return createWebhook(actor, createWebhookInput.parse({ url, events }));
}
