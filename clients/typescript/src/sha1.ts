/**
 * SHA-1 (RFC 3174). It names things here (UUIDv5) and protects nothing. By hand, because Web Crypto's is missing on plain http pages
 * and makes everything that needs a name asynchronous.
 */

const rotate = (value: number, by: number) => (value << by) | (value >>> (32 - by));

/** The message, a one bit, zeros, and its length in bits: a whole number of blocks of 64 bytes (section 4). */
function pad(message: Uint8Array): DataView {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(padded.length - 4, message.length << 3);
  return view;
}

function schedule(blocks: DataView, offset: number): number[] {
  const words = Array.from({ length: 16 }, (_, index) => blocks.getInt32(offset + index * 4));
  const word = (index: number) => words[index] ?? 0;
  for (let t = 16; t < 80; t++) words.push(rotate(word(t - 3) ^ word(t - 8) ^ word(t - 14) ^ word(t - 16), 1));
  return words;
}

/** The function and constant of each round (section 5). */
function mix(t: number, b: number, c: number, d: number): number {
  if (t < 20) return ((b & c) | (~b & d)) + 0x5a827999;
  if (t < 40) return (b ^ c ^ d) + 0x6ed9eba1;
  if (t < 60) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
  return (b ^ c ^ d) + 0xca62c1d6;
}

/** The digest of these bytes, 20 bytes long. */
export function sha1(message: Uint8Array): Uint8Array {
  const blocks = pad(message);
  let state: [number, number, number, number, number] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
  for (let offset = 0; offset < blocks.byteLength; offset += 64) {
    let [a, b, c, d, e] = state;
    for (const [t, word] of schedule(blocks, offset).entries()) {
      const next = (rotate(a, 5) + mix(t, b, c, d) + e + word) | 0;
      [e, d, c, b, a] = [d, c, rotate(b, 30), a, next];
    }
    state = [(state[0] + a) | 0, (state[1] + b) | 0, (state[2] + c) | 0, (state[3] + d) | 0, (state[4] + e) | 0];
  }
  const digest = new DataView(new ArrayBuffer(20));
  for (const [index, value] of state.entries()) digest.setInt32(index * 4, value);
  return new Uint8Array(digest.buffer);
}
