/** Builds TNEF (MS-OXTNEF) as Outlook writes it. */

function long(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function short(value: number): Buffer {
  return long(value).subarray(0, 2);
}

/** One attribute: message level 1, attachment level 2. */
export function attribute(level: 1 | 2, id: number, data: Buffer): Buffer {
  const checksum = data.reduce((sum, byte) => (sum + byte) & 0xffff, 0);
  return Buffer.concat([Buffer.from([level]), long(id), long(data.length), data, short(checksum)]);
}

/** A property of variable length, padded to a multiple of four bytes. */
export function property(type: number, id: number, value: Buffer): Buffer {
  const filling = Buffer.alloc((4 - (value.length % 4)) % 4);
  return Buffer.concat([short(type), short(id), long(1), long(value.length), value, filling]);
}

/** A string property in UTF-16. */
export function unicodeProperty(id: number, value: string): Buffer {
  return property(0x1f, id, Buffer.from(`${value}\0`, 'utf16le'));
}

/** A numeric property. */
export function longProperty(id: number, value: number): Buffer {
  return Buffer.concat([short(3), short(id), long(value)]);
}

/** A named property, which readers skip. */
export function namedProperty(name: string, value: number): Buffer {
  const written = Buffer.from(`${name}\0`, 'utf16le');
  const filling = Buffer.alloc((4 - (written.length % 4)) % 4);
  return Buffer.concat([
    short(3),
    short(0x8001),
    Buffer.alloc(16, 7),
    long(1),
    long(written.length),
    written,
    filling,
    long(value),
  ]);
}

export function properties(...list: Buffer[]): Buffer {
  return Buffer.concat([long(list.length), ...list]);
}

export function tnef(...attributes: Buffer[]): Buffer {
  return Buffer.concat([
    long(0x223e9f78),
    short(1),
    attribute(1, 0x00069007, Buffer.concat([long(1252), long(0)])),
    ...attributes,
  ]);
}

/** An attached file: its short title, its bytes and further properties. */
export function attached(title: string, content: Buffer, ...further: Buffer[]): Buffer {
  return Buffer.concat([
    attribute(2, 0x00069002, Buffer.alloc(14)),
    attribute(2, 0x00018010, Buffer.from(`${title}\0`, 'latin1')),
    attribute(2, 0x0006800f, content),
    attribute(2, 0x00069005, properties(...further)),
  ]);
}
