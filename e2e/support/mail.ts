import { type APIRequestContext, expect } from '@playwright/test';
import type { Tenant } from './test';

/** The secret with which a mail server submits messages; the installation under test is started with it. */
export const inboundSecret = 'inbound-secret-of-the-tests';

export interface TestMail {
  /** The From header: `Ann Quark <ann@quark.example>`. */
  from?: string;
  /** The To header, if it has other recipients than the tenant's agent. */
  to?: string;
  subject?: string;
  text?: string;
  html?: string;
  /** A text file to attach. */
  attachment?: { filename: string; content: string };
  /** A picture that the HTML shows as `cid:` with this name. */
  picture?: { filename: string; content: Buffer };
  /** Further header lines, such as `In-Reply-To: <…>`. */
  headers?: string[];
}

const boundaries = { mixed: 'part-of-the-mail', alternative: 'form-of-the-text', related: 'part-of-the-page' };

function part(type: string, content: string, ...headers: string[]): string {
  return [`Content-Type: ${type}; charset=utf-8`, 'Content-Transfer-Encoding: 8bit', ...headers, '', content].join('\r\n');
}

function multipart(kind: keyof typeof boundaries, parts: string[]): string {
  const boundary = boundaries[kind];
  const body = parts.map((one) => `--${boundary}\r\n${one}\r\n`).join('');
  return `Content-Type: multipart/${kind}; boundary="${boundary}"\r\n\r\n${body}--${boundary}--\r\n`;
}

function picturePart({ filename, content }: NonNullable<TestMail['picture']>): string {
  const headers = [
    `Content-Type: image/png; name="${filename}"`,
    'Content-Transfer-Encoding: base64',
    `Content-ID: <${filename}>`,
    `Content-Disposition: inline; filename="${filename}"`,
  ];
  return [...headers, '', content.toString('base64').replace(/.{76}/g, '$&\r\n')].join('\r\n');
}

function bodyOf({ text, html, attachment, picture }: TestMail): string {
  const texts = [
    ...(text !== undefined || html === undefined ? [part('text/plain', text ?? 'Hello')] : []),
    ...(html === undefined ? [] : [part('text/html', html)]),
  ];
  const page = texts.length === 1 ? `${texts[0]}` : multipart('alternative', texts);
  const written = picture ? multipart('related', [page, picturePart(picture)]) : page;
  if (!attachment) return written;
  const disposition = `Content-Disposition: attachment; filename="${attachment.filename}"`;
  return multipart('mixed', [written, part('application/octet-stream', attachment.content, disposition)]);
}

/** The address of the agent that every tenant starts with. */
const agentAddress = ({ handle }: Pick<Tenant, 'handle'>) => `inbox-manager@${handle}.localhost`;

let delivered = 0;

/** Submits a mail to the tenant's agent as a mail server would, and returns the recipient. */
export async function deliverMail(
  request: APIRequestContext,
  tenant: Pick<Tenant, 'handle'>,
  mail: TestMail = {},
): Promise<{ conversationId: string; messageId: string }> {
  delivered += 1;
  const recipient = agentAddress(tenant);
  const raw = [
    `From: ${mail.from ?? 'Ann Quark <ann@quark.example>'}`,
    `To: ${mail.to ?? recipient}`,
    `Subject: ${mail.subject ?? 'Hello'}`,
    `Date: ${new Date().toUTCString()}`,
    ...(mail.headers ?? []),
    ...(mail.headers?.some((line) => /^message-id:/i.test(line))
      ? []
      : [`Message-ID: <${process.pid}.${delivered}.${tenant.handle}@quark.example>`]),
    'MIME-Version: 1.0',
    bodyOf(mail),
  ].join('\r\n');
  const response = await request.post(`/api/inbound/email?recipient=${encodeURIComponent(recipient)}`, {
    headers: { Authorization: `Bearer ${inboundSecret}`, 'Content-Type': 'message/rfc822' },
    data: Buffer.from(raw),
  });
  expect(response.status(), await response.text()).toBe(200);
  return response.json();
}
