import { ByteReader } from './mapi-properties';

const compressed = 0x75465a4c;
const stored = 0x414c454d;

/** The initial content of the dictionary (MS-OXRTFCP 2.1.2.1). */
const beginning = Buffer.from(
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArial' +
    'Times New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx',
  'latin1',
);
const dictionarySize = 4096;

/** Maximum decompressed size in bytes. Two bytes expand to at most 17, so a message's limit bounds it as well. */
const maximumSize = 64 * 1024 * 1024;

/**
 * Decompresses a PidTagRtfCompressed (MS-OXRTFCP).
 * @throws RangeError for invalid data
 */
export function decompressRtf(data: Buffer): Buffer {
  const reader = new ByteReader(data);
  reader.long();
  const size = reader.long();
  const kind = reader.long();
  reader.long();
  if (size > maximumSize) throw new RangeError('the text is too long');
  if (kind === stored) return reader.take(Math.min(size, reader.remaining));
  if (kind !== compressed) throw new RangeError('unknown compression');
  if (size > data.length * 17) throw new RangeError('more text than the data can hold');
  const output = Buffer.alloc(size);
  const dictionary = Buffer.alloc(dictionarySize, ' ');
  beginning.copy(dictionary);
  let written = 0;
  let end = beginning.length;
  const put = (byte: number): void => {
    if (written < size) output[written++] = byte;
    dictionary[end] = byte;
    end = (end + 1) % dictionarySize;
  };
  while (written < size) {
    const control = reader.byte();
    for (let bit = 0; bit < 8 && written < size; bit++) {
      if ((control & (1 << bit)) === 0) {
        put(reader.byte());
        continue;
      }
      const reference = (reader.byte() << 8) | reader.byte();
      const offset = reference >> 4;
      if (offset === end) return output.subarray(0, written);
      for (let index = 0; index < (reference & 15) + 2; index++) put(dictionary[(offset + index) % dictionarySize] ?? 0);
    }
  }
  return output;
}
