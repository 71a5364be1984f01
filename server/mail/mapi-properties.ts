/** Reads bytes from start to end; what is beyond the end throws RangeError, as Buffer's own methods do. */
export class ByteReader {
  private position = 0;

  constructor(private readonly bytes: Buffer) {}

  get remaining(): number {
    return this.bytes.length - this.position;
  }

  take(length: number): Buffer {
    if (length > this.remaining) throw new RangeError('the data end too early');
    const taken = this.bytes.subarray(this.position, this.position + length);
    this.position += length;
    return taken;
  }

  /** `length` bytes, and those that fill them up to a multiple of four. */
  takePadded(length: number): Buffer {
    const taken = this.take(length);
    this.take(Math.min((4 - (length % 4)) % 4, this.remaining));
    return taken;
  }

  byte(): number {
    return this.take(1).readUInt8();
  }

  short(): number {
    return this.take(2).readUInt16LE();
  }

  long(): number {
    return this.take(4).readUInt32LE();
  }
}

/** A property's value: `type` as MAPI numbers them, `bytes` as they came. */
export interface MapiProperty {
  type: number;
  bytes: Buffer;
}

/** Bytes that a value takes where its type fixes that. */
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
  reader.take(16);
  if (reader.long() === 0) reader.take(4);
  else reader.takePadded(reader.long());
}

/**
 * The properties of a message or an attachment (MS-OXTNEF 2.1.3.4) by their ids, of several values the first. Named properties are
 * passed over.
 *
 * @throws RangeError for data that are not such a list
 */
export function mapiProperties(data: Buffer): Map<number, MapiProperty> {
  const reader = new ByteReader(data);
  const properties = new Map<number, MapiProperty>();
  const count = reader.long();
  for (let index = 0; index < count; index++) {
    const written = reader.short();
    const id = reader.short();
    if (id >= 0x8000) skipName(reader);
    const type = written & ~severalValues;
    const isVariable = variableTypes.has(type);
    const values = isVariable || written !== type ? reader.long() : 1;
    for (let value = 0; value < values; value++) {
      const size = isVariable ? reader.long() : fixedSizes[type];
      if (size === undefined) throw new RangeError(`unknown property type ${type}`);
      // A value without bytes would let a count of billions run on.
      if (size === 0 && values > reader.remaining + 1) throw new RangeError('more values than data');
      const bytes = reader.takePadded(size);
      if (id < 0x8000 && !properties.has(id)) properties.set(id, { type, bytes });
    }
  }
  return properties;
}
