import { randomUUID } from 'node:crypto';
import nodemailer from 'nodemailer';
import { within } from '@/server/testing/patience';
import type { Desk } from './own-installation';

/** Write load: every kind of write in a loop, each recorded when it is sent and when it is acknowledged. */

/** One write, which may be repeated with the same key. */
export interface Write {
  kind: Kind;
  /** The unique name in its content. */
  name: string;
  idempotencyKey: string;
  /** The body of the response that acknowledged it. */
  answer?: Record<string, unknown>;
}

export const kinds = ['customer', 'usage', 'event', 'reply', 'mail by HTTP', 'mail by SMTP'] as const;
export type Kind = (typeof kinds)[number];

/** Where to write; changes with each start. */
export interface Target {
  baseUrl: string;
  smtpPort: number;
  inboundSecret: string;
  desk: Desk;
  /** The conversation for replies. */
  conversationId: string;
}

/** The outcome of sending one write: an HTTP status, an SMTP code, or 0 without a response. */
export interface Sent {
  status: number;
  retryAfter: string | null;
  isReplay: boolean;
  body: Record<string, unknown>;
}

const noAnswer: Sent = { status: 0, retryAfter: null, isReplay: false, body: {} };

async function post(url: string, headers: Record<string, string>, body: string): Promise<Sent> {
  try {
    const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(within(4)) });
    const text = await response.text();
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      isReplay: response.headers.has('idempotent-replayed'),
      body: JSON.parse(text) as Record<string, unknown>,
    };
  } catch {
    return noAnswer;
  }
}

/** Mail with its own attachment, from its own sender. */
function rawMail({ name }: Write, { desk }: Target): string {
  return [
    `From: ${name}@quark.example`,
    `To: ${desk.address}`,
    `Subject: Mail ${name}`,
    `Message-ID: <${name}@quark.example>`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=xx',
    '',
    '--xx\r\nContent-Type: text/plain\r\n\r\nHello',
    `--xx\r\nContent-Type: application/pdf; name="plan.pdf"\r\n\r\nplan of ${name}`,
    '--xx--\r\n',
  ].join('\r\n');
}

async function sendBySmtp(write: Write, target: Target): Promise<Sent> {
  const transport = nodemailer.createTransport({ host: '127.0.0.1', port: target.smtpPort, ignoreTLS: true });
  try {
    const envelope = { from: `${write.name}@quark.example`, to: target.desk.address };
    await transport.sendMail({ envelope, raw: rawMail(write, target) });
    return { ...noAnswer, status: 250 };
  } catch (error) {
    return { ...noAnswer, status: (error as { responseCode?: number }).responseCode ?? 0 };
  } finally {
    transport.close();
  }
}

const inAnHour = () => new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 30 * 24 * 3_600_000);

function request({ kind, name }: Write, { conversationId }: Target): { path: string; data: object } {
  switch (kind) {
    case 'customer':
      return { path: '/identity/customers', data: { company: `Load ${name}`, contacts: [{ email: `${name}@load.example` }] } };
    case 'usage':
      return { path: '/usage/track', data: { type: 'token_usage', totalTokens: 3, eventId: name } };
    case 'event': {
      const startTime = inAnHour().toISOString();
      const endTime = new Date(Date.parse(startTime) + 3_600_000).toISOString();
      const invitees = [{ email: `${name}@guest.example` }];
      return { path: '/calendar/events', data: { title: `Load ${name}`, startTime, endTime, invitees } };
    }
    default:
      return { path: `/conversations/${conversationId}/messages`, data: { text: `Answer ${name}.` } };
  }
}

/** Bodies as first sent: a repeated key must come with the same request. */
const bodies = new Map<string, string>();

/** Sends one write, for the first time or again. */
export async function send(write: Write, target: Target): Promise<Sent> {
  if (write.kind === 'mail by SMTP') return sendBySmtp(write, target);
  if (write.kind === 'mail by HTTP') {
    const url = `${target.baseUrl}/api/inbound/email?recipient=${encodeURIComponent(target.desk.address)}`;
    const headers = { Authorization: `Bearer ${target.inboundSecret}`, 'Content-Type': 'message/rfc822' };
    return post(url, headers, rawMail(write, target));
  }
  const { path, data } = request(write, target);
  const body = bodies.get(write.idempotencyKey) ?? JSON.stringify(data);
  bodies.set(write.idempotencyKey, body);
  const headers = {
    Authorization: `Bearer ${target.desk.key}`,
    'Content-Type': 'application/json',
    'Idempotency-Key': write.idempotencyKey,
  };
  return post(`${target.baseUrl}/api/v1${path}`, headers, body);
}

/** Acknowledged; or executed before, by a request whose response was lost with the database or the server. */
export const isDone = ({ status, body }: Sent) => (status >= 200 && status < 300) || body.code === 'idempotency_answer_lost';

export interface Load {
  /** Every write that was started, acknowledged or not. */
  writes: Write[];
  acknowledged(kind: Kind): Write[];
  /** Responses other than success, by write. */
  refusals: { write: Write; sent: Sent }[];
  /** Waits for pending writes; a write that is refused then is not repeated. */
  stop(): Promise<void>;
}

/**
 * Writes until it is stopped.
 *
 * @param onRefusal `end`: a writer ends without an acknowledgement; `again`: it repeats the same write until it is acknowledged
 */
export function startLoad(target: Target, onRefusal: 'end' | 'again', writersPerKind = 2): Load {
  const load = { writes: [] as Write[], refusals: [] as Load['refusals'] };
  let stopped = false;
  const writer = async (kind: Kind) => {
    while (!stopped) {
      const name = randomUUID();
      const write: Write = { kind, name, idempotencyKey: `load-${name}` };
      load.writes.push(write);
      for (let isOver = false; !isOver; ) {
        const sent = await send(write, target);
        if (isDone(sent)) write.answer = sent.body;
        else load.refusals.push({ write, sent });
        if (!isDone(sent) && onRefusal === 'end') return;
        isOver = isDone(sent) || stopped;
      }
    }
  };
  const writers = kinds.flatMap((kind) => Array.from({ length: writersPerKind }, () => writer(kind)));
  return {
    ...load,
    acknowledged: (kind) => load.writes.filter((write) => write.kind === kind && write.answer),
    stop: async () => {
      stopped = true;
      await Promise.all(writers);
    },
  };
}
