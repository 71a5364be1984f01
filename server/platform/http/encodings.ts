import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Content encodings of responses kept in memory. */

export type Encoding = 'br' | 'gzip' | 'identity';

export type Bodies = Record<Encoding, Buffer>;

/** Below this size in bytes, compression does not pay. */
const compressFrom = 1_000;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** The body in every encoding. If compression gains nothing, all are the same buffer. */
export async function encodings(identity: Buffer, { compressible }: { compressible: boolean }): Promise<Bodies> {
  if (!compressible || identity.length < compressFrom) return { identity, gzip: identity, br: identity };
  const params = { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT };
  const [br, gzipped] = await Promise.all([compressBrotli(identity, { params }), compressGzip(identity, { level: 7 })]);
  return { identity, gzip: gzipped, br };
}

/** True if `compressOnce` might compress it. */
export function isCompressible(body: string, acceptEncoding: string | null): acceptEncoding is string {
  return acceptEncoding !== null && body.length >= compressFrom;
}

/**
 * Compresses the body of a single response in the best encoding that the client accepts, favouring speed over size.
 * @returns null if it stays uncompressed
 */
export async function compressOnce(
  body: string,
  acceptEncoding: string,
): Promise<{ body: Buffer; encoding: 'br' | 'gzip' } | null> {
  const encoding = acceptedEncoding(acceptEncoding);
  if (encoding === 'identity') return null;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT };
  return { encoding, body: encoding === 'br' ? await compressBrotli(body, { params }) : await compressGzip(body, { level: 5 }) };
}

/** Memory of all encodings together, in bytes. */
export function sizeOfBodies(bodies: Bodies): number {
  return [...new Set(Object.values(bodies))].reduce((size, body) => size + body.length, 512);
}

/** The smallest encoding that the client accepts (RFC 9110, section 12.5.3). */
function acceptedEncoding(header: string | null): Encoding {
  const refused = /^(?:br|gzip)\s*;\s*q=0(?:\.0*)?$/i;
  const accepted = (header ?? '').split(',').map((part) => part.trim());
  const takes = (name: string) =>
    accepted.some((part) => part.toLowerCase().split(/[\s;]/, 1)[0] === name && !refused.test(part));
  if (takes('br')) return 'br';
  return takes('gzip') ? 'gzip' : 'identity';
}

/** The encoding for this client, and its headers. */
export function chooseBody(bodies: Bodies, acceptEncoding: string | null): { body: Buffer; headers: Record<string, string> } {
  const encoding = acceptedEncoding(acceptEncoding);
  const body = bodies[encoding];
  return { body, headers: body === bodies.identity ? {} : { 'Content-Encoding': encoding } };
}
