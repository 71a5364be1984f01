import { Readable, Transform } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withContentStore } from '@/server/testing/mail-samples/environment';
import { lines, multipart, received, storedContent } from '@/server/testing/mail-samples/message';
import { LineDecoder } from './line-decoder';
import { parseMail } from './mail-parser';

withContentStore();

/** Decodes nothing, but marks where a block ends. */
function marking(): Transform {
  return new Transform({
    transform: (chunk, _encoding, done) => done(null, chunk),
    flush(done) {
      this.push('|');
      done();
    },
  });
}

const decoded = (pieces: string[]) =>
  text(Readable.from(pieces.map((piece) => Buffer.from(piece))).pipe(new LineDecoder(marking)));

test('a short text is one block, however it arrives', async () => {
  expect(await decoded(['a\nb', '\n', 'c'])).toBe('a\nb\nc|');
  expect(await decoded([])).toBe('|');
});

test('a long one is cut after lines, and nothing is lost', async () => {
  const line = `${'x'.repeat(999)}\n`;
  const blocks = (await decoded(Array.from({ length: 200 }, () => line))).split('|');
  expect(blocks.length).toBeGreaterThan(3);
  expect(blocks.every((block) => block === '' || block.endsWith('\n'))).toBe(true);
  expect(blocks.join('')).toBe(line.repeat(200));
});

test('a line without an end is cut, but not after white space or within =41', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(' ', '=41', 'a', 'bcd'), { minLength: 1, maxLength: 12 }), async (units) => {
      const long = `${'x'.repeat(1024 * 1024 - 20)}${units.join('').repeat(10)}xxxx`;
      const [first = '', second = ''] = (await decoded([long.slice(0, 1024 * 1024), long.slice(1024 * 1024)])).split('|');
      expect(first + second).toBe(long);
      expect(first).toMatch(/(?:=..|[^=]?[^ =])$/);
      expect(first).not.toMatch(/=.?$/);
    }),
    { numRuns: 20 },
  );
});

test('so a quoted-printable file without line breaks keeps its bytes', async () => {
  const content = Buffer.from('ä =\t'.repeat(400_000));
  const encoded = 'Content-Type: application/x\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: quoted-printable';
  const body = '=C3=A4 =3D=09'.repeat(400_000);
  const mail = `${lines('From: a@example.com', 'Content-Type: multipart/mixed; boundary=b', '')}${multipart('b', `${encoded}\r\n\r\n${body}`)}`;
  const [file] = (await parseMail(await received(mail))).attachments;
  expect((await storedContent(file?.sha256 ?? '')).equals(content)).toBe(true);
});
