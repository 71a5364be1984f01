import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withContentStore } from '@/server/testing/mail-samples/environment';
import { base64, lines, multipart, received, sha256, storedContent } from '@/server/testing/mail-samples/message';
import {
  attached,
  attribute,
  longProperty,
  namedProperty,
  properties,
  property,
  tnef,
  unicodeProperty,
} from '@/server/testing/mail-samples/tnef';
import { parseMail } from './mail-parser';
import { decodeWinmail } from './winmail';

withContentStore();

/** The example of MS-OXRTFCP 3.1. */
const rtfExample = Buffer.from(
  '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0',
  'hex',
);

const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255]);
const html = '<p>Grüße <img src="cid:logo@example.com"></p>';
const whole = tnef(
  attribute(
    1,
    0x00069003,
    properties(
      namedProperty('Keywords', 7),
      longProperty(0x3fde, 28591),
      unicodeProperty(0x1000, 'Grüße 💌'),
      property(0x102, 0x1013, Buffer.from(html, 'latin1')),
    ),
  ),
  attached(
    'LOGO~1.PNG',
    picture,
    unicodeProperty(0x3707, 'logo größer.png'),
    unicodeProperty(0x370e, 'image/png'),
    unicodeProperty(0x3712, 'logo@example.com'),
  ),
  attached('bericht.txt', Buffer.from('x')),
);

function mailWith(content: Buffer, ...parts: string[]): string {
  const file = `Content-Type: application/ms-tnef; name="winmail.dat"\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(content)}`;
  return lines('From: a@example.com', 'Content-Type: multipart/mixed; boundary=b', '') + multipart('b', ...parts, file);
}

describe('a winmail.dat', () => {
  test('gives text, HTML and attachments in its place', async () => {
    const mail = await parseMail(await received(mailWith(whole)));
    expect(mail).toMatchObject({ text: 'Grüße 💌', html });
    expect(mail.attachments).toEqual([
      {
        filename: 'logo größer.png',
        contentType: 'image/png',
        contentId: 'logo@example.com',
        isInline: true,
        sha256: sha256(picture),
        size: 8,
      },
      {
        filename: 'bericht.txt',
        contentType: 'application/octet-stream',
        contentId: null,
        isInline: false,
        sha256: sha256('x'),
        size: 1,
      },
    ]);
  });

  test('is known by its name alone', async () => {
    const mail = await parseMail(await received(mailWith(whole).replace('application/ms-tnef', 'application/octet-stream')));
    expect(mail.attachments).toHaveLength(2);
  });

  test.each([
    [1252, '93 61 94 20 80', '“a” €'],
    [1251, 'cf f0 e8', 'При'],
    [932, '93 fa 96 7b', '日本'],
    [437, '81 84', 'üä'],
    [50220, '1b 24 42 46 7c 4b 5c 1b 28 42', '日本'],
    [65001, 'e2 82 ac', '€'],
    [4711, '80', '€'],
  ])('is read by its code page %i', (codePage, bytes, text) => {
    const page = Buffer.alloc(8);
    page.writeUInt32LE(codePage);
    const body = Buffer.from(bytes.replaceAll(' ', ''), 'hex');
    expect(decodeWinmail(tnef(attribute(1, 0x00069007, page), attribute(1, 0x0002800c, body)))).toMatchObject({ text });
  });

  test('does not repeat the text the message has', async () => {
    const mail = await parseMail(await received(mailWith(whole, 'Content-Type: text/plain\r\n\r\nHello')));
    expect(mail).toMatchObject({ text: 'Hello', html });
  });

  test.each([
    ['cut off', whole.subarray(0, whole.length - 20)],
    ['other bytes', Buffer.from('not TNEF at all')],
    ['empty', Buffer.alloc(0)],
    ['without content', tnef()],
    ['more properties than data', tnef(attribute(1, 0x00069003, Buffer.alloc(4, 0xff)))],
    ['an unknown type', tnef(attribute(1, 0x00069003, properties(property(0x99, 0x1000, Buffer.from('x')))))],
  ])('that is %s stays what it is', async (_kind, content) => {
    const mail = await parseMail(await received(mailWith(content)));
    expect(mail.attachments).toMatchObject([
      { filename: 'winmail.dat', contentType: 'application/ms-tnef', sha256: sha256(content) },
    ]);
  });

  test('with a body only as RTF gives it as a file', async () => {
    const rtf = tnef(attribute(1, 0x00069003, properties(property(0x102, 0x1009, rtfExample))));
    const mail = await parseMail(await received(mailWith(rtf)));
    expect(mail.attachments).toMatchObject([{ filename: 'message.rtf', contentType: 'application/rtf' }]);
    expect((await storedContent(mail.attachments[0]?.sha256 ?? '')).toString()).toBe(
      '{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n',
    );
  });

  test('with a message attached gives its text and files', () => {
    const inner = tnef(attribute(1, 0x0002800c, Buffer.from('Inner\0')), attached('a.txt', Buffer.from('a')));
    const value = property(0x0d, 0x3701, Buffer.concat([Buffer.alloc(16, 7), inner]));
    const outer = tnef(attached('', Buffer.alloc(0), unicodeProperty(0x3001, 'Old mail'), value));
    expect(decodeWinmail(outer)?.attachments.map(({ filename, content }) => [filename, content.toString()])).toEqual([
      ['Old mail.txt', 'Inner'],
      ['a.txt', 'a'],
    ]);
  });
});

test('any change to the bytes is decoded or refused, never a failure', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
      fc.nat(whole.length),
      (changes, length) => {
        const bytes = Buffer.from(whole);
        for (const [position, byte] of changes) bytes[position] = byte;
        for (const content of [bytes, bytes.subarray(0, length)]) {
          const winmail = decodeWinmail(content);
          expect((winmail?.attachments ?? []).reduce((sum, file) => sum + file.content.length, 0)).toBeLessThanOrEqual(
            content.length,
          );
        }
      },
    ),
    { numRuns: 1000 },
  );
});
