import fc from 'fast-check';
import MailComposer from 'nodemailer/lib/mail-composer';
import { expect, test } from 'vitest';
import { withContentStore } from '@/server/testing/mail-samples/environment';
import { lines, multipart, received, storedContent } from '@/server/testing/mail-samples/message';
import { maximumReferences } from './mail-headers';
import { parseMail } from './mail-parser';
import { type ParsedMail, UnparsableMail } from './parsed-mail';

withContentStore();

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object' || value instanceof Date) return [];
  return Object.values(value).flatMap(stringsOf);
}

/** Invariants of every readable message. */
function expectSound(mail: ParsedMail): void {
  for (const text of stringsOf(mail)) {
    expect(text.isWellFormed()).toBe(true);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may remain
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
  }
  expect(mail.messageId).toMatch(/^<[^<>\s]+>$/);
  expect(mail.subject).not.toContain('\n');
  expect(mail.references.length).toBeLessThanOrEqual(maximumReferences);
  expect(mail.references).not.toContain(mail.messageId);
  for (const { email } of [...mail.to, ...mail.cc, ...mail.bcc, ...mail.replyTo]) expect(email).not.toBe('');
  for (const { displayName } of [mail.from, ...mail.to]) expect(displayName).not.toBe('');
  for (const { filename, contentType, isInline, contentId } of mail.attachments) {
    expect(filename).toMatch(/^[^/\\\n\t]{1,200}$/);
    expect(contentType).toMatch(/^[^/\s]+\/[^/\s]+$/);
    if (isInline) expect(contentId).not.toBeNull();
  }
  expect(Number.isNaN(mail.sentAt?.getTime() ?? 0)).toBe(false);
}

async function parsedOrRefused(message: string | Uint8Array): Promise<void> {
  const raw = await received(message);
  try {
    expectSound(await parseMail(raw));
  } catch (error) {
    if (!(error instanceof UnparsableMail)) throw error;
    expect(error.message).toMatch(/^The message .+\.$/);
  }
}

test('any bytes are a message or refused', async () => {
  await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 600 }), parsedOrRefused), { numRuns: 150 });
});

/** Pieces of mail in any order, which find more parser faults than random bytes. */
const piece = fc.oneof(
  fc.constantFrom(
    '\r\n',
    '\r\n\r\n',
    '\n',
    '\r',
    '\0',
    '--b\r\n',
    '--b--\r\n',
    '\r\n--c\r\n',
    'From: ',
    'To: a@b, "c" <d@e>; f: g@h;\r\n',
    'Subject: =?utf-8?B?w7w=?= =?utf-8?Q?=C3?= =?utf-8?Q?=BC?=\r\n',
    'Subject: =?x-none?B?8fo=?=\r\n',
    'Subject: =?utf-16le?B?ANg=?=\r\n',
    'Content-Type: multipart/mixed; boundary=b\r\n',
    'Content-Type: multipart/alternative; boundary="c"\r\n',
    'Content-Type: text/plain; charset=iso-2022-jp; format=flowed; delsp=yes\r\n',
    'Content-Type: text/html; charset=utf-7\r\n',
    'Content-Type: text/html; charset=utf-16\r\n',
    'Content-Type: message/rfc822\r\n',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n',
    'Content-Type: message/delivery-status\r\n\r\nFinal-Recipient: rfc822; a@b\r\nAction: failed\r\n',
    'Content-Type: application/ms-tnef; name="winmail.dat"\r\n',
    'Content-Transfer-Encoding: base64\r\n',
    'Content-Transfer-Encoding: quoted-printable\r\n',
    'Content-Disposition: inline; filename*0*=utf-8\'\'%ff%00; filename*1="/../"\r\n',
    'Content-Id: <x@y>\r\n',
    'Message-ID: <\r\n',
    'References: <a@b> <<c> > d@e (<f>)\r\n',
    'Date: Mon, 31 Feb 99999 25:00\r\n',
    'Return-Path: <>\r\n',
    '<p>a<img src="cid:x@y">&#0;&#xd800;',
    '=\r\n=0',
    '=ED=A0=80',
    'AAAA=\r\n====',
    '\x1b$B\x1b(B\x80\xff',
    '+2AA-',
  ),
  fc.string({ maxLength: 20 }).map((text) => Buffer.from(text).toString('latin1')),
);

test('any pieces of mail are a message or refused', async () => {
  const message = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(''));
  await fc.assert(fc.asyncProperty(message, parsedOrRefused), { numRuns: 400 });
});

test('any part of any kind, cut off anywhere, is a message or refused', async () => {
  const parts = fc.array(fc.tuple(fc.array(piece, { maxLength: 3 }), fc.array(piece, { maxLength: 4 })), { maxLength: 4 });
  const message = fc.tuple(parts, fc.nat(2000)).map(([list, length]) => {
    const bodies = list.map(([headers, body]) => `${headers.join('')}\r\n\r\n${body.join('')}`);
    const head = lines('From: a@example.com', 'Content-Type: multipart/mixed; boundary=b', '');
    return `${head}${multipart('b', ...bodies)}`.slice(0, length + 70);
  });
  await fc.assert(fc.asyncProperty(message, parsedOrRefused), { numRuns: 300 });
});

/** Words of every script, without characters that mail does not preserve: control characters and white space. */
const word = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .map((text) => text.normalize().replace(/[\s\p{C}\p{Zs}"\\,;:<>()@[\].=?/]/gu, ''))
  .filter((text) => text !== '');
const phrase = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '));
const body = fc.array(phrase, { minLength: 1, maxLength: 6 }).map((list) => list.join('\n'));

test('what nodemailer writes comes back as it was', async () => {
  const mail = fc.record({
    subject: phrase,
    name: phrase,
    text: body,
    html: body.map((text) => `<p>${text}</p>`),
    files: fc.array(fc.record({ name: word, content: fc.uint8Array({ maxLength: 500 }) }), { maxLength: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(mail, async ({ subject, name, text, html, files }) => {
      const attachments = files.map((file) => ({ filename: `${file.name}.bin`, content: Buffer.from(file.content) }));
      const message = { from: { name, address: 'ada@example.com' }, to: 'bob@example.com', subject, text, html, attachments };
      const parsed = await parseMail(await received(await new MailComposer(message).compile().build()));
      expectSound(parsed);
      expect(parsed).toMatchObject({
        subject,
        from: { email: 'ada@example.com' },
        to: [{ email: 'bob@example.com', displayName: null }],
      });
      expect(parsed.from.displayName).toBe(name);
      expect(parsed.text.trimEnd()).toBe(text);
      expect(parsed.html?.trimEnd()).toBe(html);
      expect(parsed.attachments.map(({ filename }) => filename)).toEqual(attachments.map(({ filename }) => filename));
      for (const [index, { sha256 }] of parsed.attachments.entries()) {
        expect((await storedContent(sha256)).equals(attachments[index]?.content ?? Buffer.alloc(0))).toBe(true);
      }
    }),
    { numRuns: 100 },
  );
});
