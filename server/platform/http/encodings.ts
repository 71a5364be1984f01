import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** The forms in which an answer that is kept in memory can be sent. */

export type Encoding = 'br' | 'gzip' | 'identity';

export type Bodies = Record<Encoding, Buffer>;

/** Below this, headers weigh more than what compression saves. */
const compressFrom = 1_000;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** The body in every form. Where compressing it would gain nothing, all are the same buffer. */
export async function encodings(identity: Buffer, { compressible }: { compressible: boolean }): Promise<Bodies> {
  if (!compressible || identity.length < compressFrom) return { identity, gzip: identity, br: identity };
  const params = { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT };
  const [br, gzipped] = await Promise.all([compressBrotli(identity, { params }), compressGzip(identity, { level: 7 })]);
  return { identity, gzip: gzipped, br };
}

/** True where `compressOnce` may make something of it. */
export function isCompressible(body: string, acceptEncoding: string | null): acceptEncoding is string {
  return acceptEncoding !== null && body.length >= compressFrom;
}

/**
 * A body that is made for one answer only, in the smallest form that its reader takes; quickly rather than as small as can be.
 *
 * @returns null where it stays as it is
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

/** Bytes that the forms take up in memory together. */
export function sizeOfBodies(bodies: Bodies): number {
  return [...new Set(Object.values(bodies))].reduce((size, body) => size + body.length, 512);
}

/** The smallest form that the reader takes (RFC 9110, section 12.5.3). */
function acceptedEncoding(header: string | null): Encoding {
  const refused = /^(?:br|gzip)\s*;\s*q=0(?:\.0*)?$/i;
  const accepted = (header ?? '').split(',').map((part) => part.trim());
  const takes = (name: string) =>
    accepted.some((part) => part.toLowerCase().split(/[\s;]/, 1)[0] === name && !refused.test(part));
  if (takes('br')) return 'br';
  return takes('gzip') ? 'gzip' : 'identity';
}

/** The form for this reader, and the headers that say which it is. */
export function chooseBody(bodies: Bodies, acceptEncoding: string | null): { body: Buffer; headers: Record<string, string> } {
  const encoding = acceptedEncoding(acceptEncoding);
  const body = bodies[encoding];
  return { body, headers: body === bodies.identity ? {} : { 'Content-Encoding': encoding } };
}
