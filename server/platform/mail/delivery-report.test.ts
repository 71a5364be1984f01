import { describe, expect, test } from 'vitest';
import { withContentStore } from '@/server/testing/mail-samples/environment';
import { lines, multipart, received, storedContent } from '@/server/testing/mail-samples/message';
import { deliveryReport, isDeliveryReport } from './delivery-report';
import { parseMail } from './mail-parser';

withContentStore();

function status(...content: string[]): { contentType: string; head: Buffer } {
  return { contentType: 'message/delivery-status', head: Buffer.from(lines(...content), 'latin1') };
}

const returned = lines(
  'Received: from a',
  'Message-ID:',
  ' <original@example.com>',
  'Subject: Hello',
  '',
  'Message-ID: <body@example.com>',
);

const postfix =
  lines('From: MAILER-DAEMON@mx.example.net (Mail Delivery System)', 'Return-Path: <>', 'Message-ID: <report@mx.example.net>') +
  lines(
    'Subject: Undelivered Mail Returned to Sender',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b/1"',
    '',
  ) +
  multipart(
    'b/1',
    lines(
      'Content-Description: Notification',
      'Content-Type: text/plain; charset=us-ascii',
      '',
      'This is the mail system at mx.example.net.',
    ),
    lines('Content-Description: Delivery report', 'Content-Type: message/delivery-status', '') +
      lines('Reporting-MTA: dns; mx.example.net', 'Arrival-Date: Mon,  3 Nov 2025 10:12:13 +0100 (CET)', '') +
      lines(
        'Final-Recipient: rfc822; Bob@Example.net',
        'Original-Recipient: rfc822;bob@example.net',
        'Action: failed',
        'Status: 5.1.1',
      ) +
      lines(
        'Remote-MTA: dns; mail.example.net',
        'Diagnostic-Code: smtp; 550 5.1.1 <bob@example.net>: Recipient address',
        '    rejected: unknown',
      ),
    `Content-Type: message/rfc822\r\n\r\n${returned}`,
  );

describe('a report of Postfix', () => {
  test('tells what became of which message, and stays readable', async () => {
    const mail = await parseMail(await received(postfix));
    expect(mail.report).toEqual({
      originalMessageId: '<original@example.com>',
      recipients: [
        {
          email: 'bob@example.net',
          action: 'failed',
          status: '5.1.1',
          diagnostic: '550 5.1.1 <bob@example.net>: Recipient address rejected: unknown',
        },
      ],
    });
    expect(mail).toMatchObject({ isAutoReply: true, messageId: '<report@mx.example.net>' });
    expect(mail.text.trim()).toBe('This is the mail system at mx.example.net.');
    expect(mail.attachments.map(({ filename, contentType }) => [filename, contentType])).toEqual([
      ['delivery-status.txt', 'message/delivery-status'],
      ['message.eml', 'message/rfc822'],
    ]);
    expect((await storedContent(mail.attachments[1]?.sha256 ?? '')).toString()).toBe(returned);
  });

  test('without a report type is one, of another report type is none', async () => {
    const untyped = await parseMail(await received(postfix.replace('report-type=delivery-status; ', '')));
    expect(untyped.report?.recipients).toHaveLength(1);
    const receipt = await parseMail(await received(postfix.replace('delivery-status;', 'disposition-notification;')));
    expect(receipt.report).toBeNull();
  });

  test('that is only forwarded is no report', async () => {
    const forward = lines('From: a@example.com', 'Content-Type: multipart/mixed; boundary=f', '');
    const mail = await parseMail(await received(forward + multipart('f', `Content-Type: message/rfc822\r\n\r\n${postfix}`)));
    expect(mail.report).toBeNull();
    expect((await storedContent(mail.attachments[0]?.sha256 ?? '')).toString()).toBe(postfix);
  });
});

describe('fields as servers write them', () => {
  test('Exchange: a name in the original recipient, spaces and brackets in the diagnostic', () => {
    const report = deliveryReport([
      status(
        'Reporting-MTA: dns;EX01.example.com',
        '',
        'Final-recipient: RFC822;bob@example.net',
        'Action: failed',
        'Status: 5.1.10',
        '',
      ),
      { contentType: 'text/rfc822-headers', head: Buffer.from('message-id: <A@EX01.example.com>\r\n') },
    ]);
    expect(report).toEqual({
      originalMessageId: '<A@EX01.example.com>',
      recipients: [{ email: 'bob@example.net', action: 'failed', status: '5.1.10', diagnostic: '' }],
    });
  });

  test('Gmail: several recipients of one message, bare line feeds', () => {
    const head = Buffer.from(
      'Reporting-MTA: dns; googlemail.com\n\nFinal-Recipient: rfc822; a@x.example\nAction: failed\nStatus: 5.0.0\n\n' +
        'Final-Recipient: rfc822; b@x.example\nAction: delayed\nStatus: 4.4.1 (timeout)\nDiagnostic-Code: smtp;The server\n did not answer\n',
    );
    expect(deliveryReport([{ contentType: 'message/delivery-status', head }])?.recipients).toEqual([
      { email: 'a@x.example', action: 'failed', status: '5.0.0', diagnostic: '' },
      { email: 'b@x.example', action: 'delayed', status: '4.4.1', diagnostic: 'The server did not answer' },
    ]);
  });

  test('all in one block, with comments, without actions', () => {
    const fields = [
      'Reporting-MTA: dns; x',
      'Final-Recipient: rfc822; <a@x.example>',
      'Action: FAILED (bounced)',
      'Final-Recipient: rfc822; b@x.example',
    ];
    expect(deliveryReport([status(...fields, 'Status: 2.1.5')])?.recipients.map(({ email, action }) => [email, action])).toEqual([
      ['a@x.example', 'failed'],
      ['b@x.example', 'delivered'],
    ]);
  });

  test('who is named twice, who has no address and of whom nothing is said', () => {
    const fields = [
      '',
      'Final-Recipient: rfc822; a@x.example',
      'Action: failed',
      '',
      'Final-Recipient: rfc822; a@x.example',
      'Action: delayed',
    ];
    const others = [
      '',
      'Final-Recipient: x400; /c=us/',
      'Action: failed',
      '',
      'Final-Recipient: rfc822; c@x.example',
      'Action: pondered',
    ];
    expect(deliveryReport([status(...fields, ...others)])?.recipients).toEqual([
      { email: 'a@x.example', action: 'failed', status: '', diagnostic: '' },
    ]);
  });

  test('nothing for machines: no report', () => {
    expect(deliveryReport([{ contentType: 'message/rfc822', head: Buffer.from(returned) }])).toBeNull();
    expect(deliveryReport([status('')])).toEqual({ originalMessageId: null, recipients: [] });
  });
});

test('content types that are none are no report', () => {
  expect(isDeliveryReport(undefined)).toBe(false);
  expect(isDeliveryReport({ value: 'multipart/mixed', params: { 'report-type': 'delivery-status' } })).toBe(false);
  expect(isDeliveryReport({ value: 'Multipart/Report', params: { 'report-type': 'Delivery-Status' } })).toBe(true);
});
