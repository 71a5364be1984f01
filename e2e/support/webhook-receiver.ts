import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ReceivedRequest {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver of webhooks on this machine, which answers as told. */
export async function startReceiver() {
  const requests: ReceivedRequest[] = [];
  let answer = { status: 204, text: '' };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    requests.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(answer.status).end(answer.text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    requests,
    answerWith: (status: number, text = '') => {
      answer = { status, text };
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Whether one of a request's signatures was made with the secret (Standard Webhooks 1.0). */
export function isSignedWith(secret: string, { headers, body }: ReceivedRequest): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(expected);
}
