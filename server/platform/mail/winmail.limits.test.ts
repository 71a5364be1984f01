import { describe, expect, test } from 'vitest';
import { withContentStore } from '@/server/testing/mail-samples/environment';
import { base64, lines, multipart, received, sha256 } from '@/server/testing/mail-samples/message';
import { attached, attribute, properties, property, tnef, unicodeProperty } from '@/server/testing/mail-samples/tnef';
import { parseMail } from './mail-parser';
import { mapiProperties } from './mapi-properties';
import { decodeWinmail } from './winmail';

withContentStore();

/** Far more than these need, far less than they took before the limits. */
const generousMilliseconds = 2_000;

function timed<Result>(work: () => Result): { result: Result; milliseconds: number } {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return { result, milliseconds: (user + system) / 1000 };
}

const bodyText = attribute(1, 0x0002800c, Buffer.from('Hello\0'));

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => {
    bytes.writeUInt32LE(value, index * 4);
  });
  return bytes;
}

/** A multi-valued property that declares `count` values. */
function several(type: number, id: number, count: number, ...values: Buffer[]): Buffer {
  return Buffer.concat([numbers(0x1000 + type + id * 0x10000, count), ...values]);
}

function files(count: number): Buffer[] {
  return Array.from({ length: count }, (_, index) => attached(`${index}.txt`, Buffer.from(`${index}`)));
}

/** A nested message. */
function within(name: string, inner: Buffer): Buffer {
  const value = property(0x0d, 0x3701, Buffer.concat([Buffer.alloc(16, 7), inner]));
  return attached('', Buffer.alloc(0), unicodeProperty(0x3001, name), value);
}

/** Compressed RTF of `runs` times 136 bytes, with eight output bytes per input byte. */
function compressedRtf(runs: number): Buffer {
  const data = Buffer.alloc(runs * 17, 255);
  let end = 207;
  for (let index = 0; index < runs * 8; index++) {
    // Copies seventeen bytes from anywhere but the end, which would mark the end of the text.
    data.writeUInt16BE((((end + 100) % 4096) << 4) | 15, Math.floor(index / 8) * 17 + 1 + (index % 8) * 2);
    end = (end + 17) % 4096;
  }
  return Buffer.concat([numbers(0, runs * 136, 0x75465a4c, 0), data]);
}

function rtfMessage(rtf: Buffer, ...further: Buffer[]): Buffer {
  return tnef(attribute(1, 0x00069003, properties(property(0x102, 0x1009, rtf))), ...further);
}

describe('properties', () => {
  test.each([0, 1])('of type %i have no several values, since they take no bytes', (type) => {
    const list = properties(several(type, 0x100, 2), unicodeProperty(0x1000, 'Hello'));
    expect(() => mapiProperties(list, new Set([0x1000]))).toThrow(RangeError);
  });

  test('that each claim as many values as there are bytes left end soon', () => {
    const count = 7_000;
    const list = Array.from({ length: count }, (_, index) => several(1, 0x100, (count - index - 1) * 8));
    const { result, milliseconds } = timed(() => decodeWinmail(tnef(attribute(1, 0x00069003, properties(...list)), bodyText)));
    expect(result === null).toBe(true);
    expect(milliseconds).toBeLessThan(generousMilliseconds);
  });

  test('of several strings may have empty ones', () => {
    const empty = numbers(0);
    const list = properties(several(0x1f, 0x100, 3, empty, empty, empty), unicodeProperty(0x1000, 'Hello'));
    expect(decodeWinmail(tnef(attribute(1, 0x00069003, list)))?.text).toBe('Hello');
  });

  test('that nobody asks for are not kept', () => {
    const list = properties(unicodeProperty(0x1001, 'a'), unicodeProperty(0x1000, 'b'), unicodeProperty(0x1002, 'c'));
    expect([...mapiProperties(list, new Set([0x1000, 0x1003])).keys()]).toEqual([0x1000]);
  });

  test('of NULs and something behind them end soon', () => {
    const body = Buffer.concat([Buffer.alloc(250_000), Buffer.from('x\0\0')]);
    const { result, milliseconds } = timed(() => decodeWinmail(tnef(attribute(1, 0x0002800c, body))));
    expect(result?.text).toBe(`${'\0'.repeat(250_000)}x`);
    expect(milliseconds).toBeLessThan(generousMilliseconds);
  });
});

describe('RTF', () => {
  test('of up to 25 MiB is decompressed, of more it is left out', () => {
    const fits = Math.floor((25 * 1024 * 1024) / 136);
    expect(decodeWinmail(rtfMessage(compressedRtf(fits)))?.rtf?.length).toBe(fits * 136);
    const without = decodeWinmail(rtfMessage(compressedRtf(fits + 1), bodyText));
    expect([without?.text, without?.rtf?.length]).toEqual(['Hello', undefined]);
    // As the only body it is not dropped in favour of attachments.
    expect(decodeWinmail(rtfMessage(compressedRtf(fits + 1), ...files(1))) === null).toBe(true);
  });

  test('of all messages within shares that limit', () => {
    const rtf = compressedRtf(10);
    const outer = tnef(within('one', rtfMessage(rtf)), within('two', rtfMessage(rtf)), within('three', tnef(bodyText)));
    const namesFor = (rtfBytes: number) =>
      decodeWinmail(outer, { attachments: 100, rtfBytes })?.attachments.map(({ filename }) => filename);
    expect(namesFor(2720)).toEqual(['one.rtf', 'two.rtf', 'three.txt']);
    // A message that can't be decoded stays a file.
    expect(namesFor(2719)).toEqual(['one.rtf', 'two', 'three.txt']);
  });
});

describe('more attachments than a message may have parts', () => {
  test('are not taken apart, wherever they stand', () => {
    const decodes = (content: Buffer) => decodeWinmail(content) !== null;
    expect(decodeWinmail(tnef(...files(1000)))?.attachments.length).toBe(1000);
    expect(decodes(tnef(...files(1001)))).toBe(false);
    expect(decodes(tnef(...files(600), within('old', tnef(...files(600)))))).toBe(false);
    expect(decodes(tnef(...Array(1001).fill(attribute(2, 0x00069002, Buffer.alloc(0))), bodyText))).toBe(false);
  });

  test('stay one file, the other parts of the message counted', async () => {
    const mailWith = (content: Buffer) => {
      const file = `Content-Type: application/ms-tnef; name="winmail.dat"\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(content)}`;
      const head = lines('From: a@example.com', 'Content-Type: multipart/mixed; boundary=b', '');
      return received(head + multipart('b', 'Content-Type: image/png\r\n\r\nP', file));
    };
    const many = tnef(...files(1000));
    const { attachments } = await parseMail(await mailWith(many));
    expect(attachments.length).toBe(2);
    expect(attachments[1]).toMatchObject({ filename: 'winmail.dat', contentType: 'application/ms-tnef', sha256: sha256(many) });
    expect((await parseMail(await mailWith(tnef(...files(20))))).attachments).toHaveLength(21);
  });
});
