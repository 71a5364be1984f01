import { AppError } from '@/server/platform/errors';

/** Reads request bodies, for all transports. */

/** Headers and body of a request; a subset of the web's Request. */
export interface BodySource {
  headers: { get(name: string): string | null; has(name: string): boolean };
  body: { [Symbol.asyncIterator](): AsyncIterator<Uint8Array> } | null;
}

/** Maximum body in bytes for anonymous callers: sign-in, setup, rsvp page (contract section 17). */
export const anonymousBodyBytes = 16 * 1024;

/** The content type in lower case, without parameters. */
export function mediaTypeOf({ headers }: Pick<BodySource, 'headers'>): string {
  return (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/**
 * Refuses a compressed body before it is read.
 * @throws AppError unsupported_media_type with the accepted codings (RFC 9110, section 15.5.16)
 */
export function refuseEncoded({ headers }: Pick<BodySource, 'headers'>): void {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return;
  throw new AppError('unsupported_media_type', 'Send the body without Content-Encoding; compressed bodies are not read.', {
    headers: { 'Accept-Encoding': 'identity' },
  });
}

/**
 * Reads at most `maximum` bytes, ignoring the announced length.
 * @throws AppError unsupported_media_type for a compressed body, payload_too_large
 */
export async function readBytes(request: BodySource, maximum: number): Promise<Uint8Array> {
  refuseEncoded(request);
  const tooLarge = () => new AppError('payload_too_large', `The body may have at most ${maximum} bytes.`);
  if (Number(request.headers.get('content-length')) > maximum) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (!request.body) return new Uint8Array();
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > maximum) throw tooLarge();
    chunks.push(chunk);
  }
  const [only] = chunks;
  return chunks.length === 1 && only ? only : Buffer.concat(chunks);
}

/**
 * Maximum names and values in one body. Legitimate bodies have a few thousand; parsing and validating this many takes 20 ms.
 */
const maximumJsonValues = 100_000;

const quote = 0x22;
const backslash = 0x5c;
/** Characters that precede a value or name, or open an array or object: `,` `:` `[` `{`. */
const separators = new Uint8Array(256);
for (const character of ',:[{') separators[character.charCodeAt(0)] = 1;

/** True if the JSON text has more than `maximum` names and values. Stops early, so that hostile text costs least. */
function hasMoreValues(bytes: Uint8Array, maximum: number): boolean {
  let count = 0;
  for (let index = 0; index < bytes.length; index++) {
    let byte = bytes[index] as number;
    if (byte === quote) {
      // Skip to the end of the string; an escaped quote does not end it.
      for (byte = bytes[++index] as number; byte !== quote && index < bytes.length; byte = bytes[++index] as number) {
        if (byte === backslash) index++;
      }
    } else {
      count += separators[byte] as number;
      if (count > maximum) return true;
    }
  }
  return false;
}

/**
 * Refuses JSON with too many values: parsing and validating three megabytes of `[]` blocks the event loop for over a second.
 * @throws AppError invalid_request
 */
export function refuseTooManyValues(bytes: Uint8Array): void {
  if (bytes.byteLength <= maximumJsonValues || !hasMoreValues(bytes, maximumJsonValues)) return;
  throw new AppError('invalid_request', `The body may have at most ${maximumJsonValues} names and values.`);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Marks a body that is not JSON, distinct from any JSON value. */
export const unparsable = Symbol('unparsable');

/**
 * The parsed body, or `unparsable`.
 * @throws AppError invalid_request for too many values
 */
export function parseJson(bytes: Uint8Array): unknown {
  refuseTooManyValues(bytes);
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    return unparsable;
  }
}
