/** Reads bytes sequentially; throws RangeError beyond the end, like Buffer's methods. */
export class ByteReader {
  private position = 0;

  constructor(private readonly bytes: Buffer) {}

  get remaining(): number {
    return this.bytes.length - this.position;
  }

  /** Skips `length` bytes and returns their position. */
  private pass(length: number): number {
    if (length > this.remaining) throw new RangeError('the data end too early');
    const start = this.position;
    this.position += length;
    return start;
  }

  take(length: number): Buffer {
    const start = this.pass(length);
    return this.bytes.subarray(start, start + length);
  }

  /** Reads `length` bytes, and skips padding to a multiple of four. */
  takePadded(length: number): Buffer {
    const taken = this.take(length);
    this.skipPadding(length);
    return taken;
  }

  /** Skips what `takePadded` would read. */
  skipPadded(length: number): void {
    this.pass(length);
    this.skipPadding(length);
  }

  private skipPadding(length: number): void {
    this.pass(Math.min((4 - (length % 4)) % 4, this.remaining));
  }

  byte(): number {
    return this.bytes.readUInt8(this.pass(1));
  }

  short(): number {
    return this.bytes.readUInt16LE(this.pass(2));
  }

  long(): number {
    return this.bytes.readUInt32LE(this.pass(4));
  }
}

/** A property's value: MAPI's number of its type, and the raw bytes. */
export interface MapiProperty {
  type: number;
  bytes: Buffer;
}

/** Sizes of fixed-size types, in bytes. */
const fixedSizes: Record<number, number> = {
  0: 0,
  1: 0,
  2: 4,
  3: 4,
  4: 4,
  5: 8,
  6: 8,
  7: 8,
  10: 4,
  11: 4,
  20: 8,
  64: 8,
  72: 16,
};
const variableTypes = new Set([0x0d, 0x1e, 0x1f, 0x102]);
const severalValues = 0x1000;

function skipName(reader: ByteReader): void {
  reader.skipPadded(16);
  if (reader.long() === 0) reader.skipPadded(4);
  else reader.skipPadded(reader.long());
}

/**
 * The `wanted` properties of a message or attachment (MS-OXTNEF 2.1.3.4) by id, the first of several values. Named and other
 * properties are skipped: a list may have millions. Takes time linear in the data, regardless of the counts they declare.
 * @throws RangeError for an invalid list
 */
export function mapiProperties(data: Buffer, wanted: ReadonlySet<number>): Map<number, MapiProperty> {
  const reader = new ByteReader(data);
  const properties = new Map<number, MapiProperty>();
  const count = reader.long();
  for (let index = 0; index < count; index++) {
    const written = reader.short();
    const id = reader.short();
    if (id >= 0x8000) skipName(reader);
    const type = written & ~severalValues;
    const fixedSize = fixedSizes[type];
    if (fixedSize === undefined && !variableTypes.has(type)) throw new RangeError(`unknown property type ${type}`);
    const values = fixedSize === undefined || written !== type ? reader.long() : 1;
    // Values without bytes could be declared in any number for free; variable-length ones take at least their length field.
    if (fixedSize === 0 && values > 1) throw new RangeError('several values of a type that has none');
    for (let value = 0; value < values; value++) {
      const size = fixedSize ?? reader.long();
      if (id < 0x8000 && wanted.has(id) && !properties.has(id)) properties.set(id, { type, bytes: reader.takePadded(size) });
      else reader.skipPadded(size);
    }
  }
  return properties;
}
