import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Delivery, type Reception, receiveMail } from '@/server/features/mail/inbound.service';
import { receiveRawMail } from '@/server/platform/mail/raw-mail';

/** Headers by name; an array repeats the header. */
export interface TestMail {
  headers?: Record<string, string | string[] | undefined>;
  body?: string;
}

/** A unique Message-ID. */
export function testMessageId(): string {
  return `<${randomBytes(8).toString('hex')}@outside.example>`;
}

/** The bytes of a message from Ann; undefined removes a header. */
export function mailBytes({ headers = {}, body = 'Hello' }: TestMail = {}): Buffer {
  const all: TestMail['headers'] = {
    From: 'Ann Quark <ann@quark.example>',
    To: 'desk@here.example',
    Subject: 'A question',
    'Message-ID': testMessageId(),
    Date: 'Sat, 21 Nov 2026 09:30:00 +0000',
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((text) => (text === undefined ? [] : [`${name}: ${text}`])),
  );
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body.replaceAll('\n', '\r\n')}`);
}

/** The report of a server that could not deliver a message to a recipient (RFC 3464). */
export function bounceMail(messageIdHeader: string, action: string, recipient = 'ann@quark.example'): Required<TestMail> {
  return {
    headers: {
      From: 'Mail Delivery System <mailer-daemon@far.example>',
      Subject: 'Undelivered Mail Returned to Sender',
      'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b',
    },
    body: `--b
Content-Type: text/plain

It did not work.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; far.example

Final-Recipient: rfc822; ${recipient}
Action: ${action}
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 no such user
--b
Content-Type: text/rfc822-headers

Message-ID: ${messageIdHeader}
Subject: Re: A question
--b--
`,
  };
}

interface DeliverOptions {
  /** Envelope recipients. */
  to: string | string[];
  sender?: string | null;
  /** Where it comes from; by default it is our own mail, as in the demo. */
  clientAddress?: string;
  receivedAt?: Date;
}

/** Receives bytes as SMTP and HTTP do. */
export async function receiveBytes(
  bytes: Buffer,
  { to, sender = null, clientAddress, receivedAt }: DeliverOptions,
): Promise<Reception> {
  const raw = await receiveRawMail(Readable.from([bytes]), { drainExcess: true });
  try {
    const envelope = { source: 'smtp' as const, sender, recipients: [to].flat(), ...(clientAddress ? { clientAddress } : {}) };
    return await receiveMail(raw, envelope, receivedAt ? { receivedAt } : {});
  } finally {
    await raw.discard();
  }
}

/** Delivers a message that is stored, and returns the delivery to its first identity. */
export async function deliver(mail: TestMail, options: DeliverOptions): Promise<Delivery> {
  const reception = await receiveBytes(mailBytes(mail), options);
  const [delivery] = reception.kind === 'stored' ? reception.deliveries : [];
  if (!delivery) throw new Error('The message was not stored.');
  return delivery;
}
