import { AppError } from '@/server/platform/errors';

/** Reading what a request sends, whichever transport it came to. */

/** Headers and body of a request; a part of the web's Request. */
export interface BodySource {
  headers: { get(name: string): string | null; has(name: string): boolean };
  body: { [Symbol.asyncIterator](): AsyncIterator<Uint8Array> } | null;
}

/** Largest body in bytes of a caller no one knows: sign-in, setup, answers to invitations (contract section 17). */
export const anonymousBodyBytes = 16 * 1024;

/** The content type without its parameters, in lower case. */
export function mediaTypeOf({ headers }: Pick<BodySource, 'headers'>): string {
  return (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/**
 * Refuses a compressed body before anything of it is read.
 *
 * @throws AppError unsupported_media_type with the codings that are read (RFC 9110, section 15.5.16)
 */
export function refuseEncoded({ headers }: Pick<BodySource, 'headers'>): void {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return;
  throw new AppError('unsupported_media_type', 'Send the body without Content-Encoding; compressed bodies are not read.', {
    headers: { 'Accept-Encoding': 'identity' },
  });
}

/**
 * Reads at most `maximum` bytes, whatever length was announced.
 *
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

/** Names and values in one body. What a person or program means to say has a few thousand; parsing and checking so many takes 20 ms. */
const maximumJsonValues = 100_000;

const quote = 0x22;
const backslash = 0x5c;
/** What comes before a value or a name, or opens an array or an object: `,` `:` `[` `{`. */
const separators = new Uint8Array(256);
for (const character of ',:[{') separators[character.charCodeAt(0)] = 1;

/** True where the text, if it is JSON, has more than `maximum` names and values. Stops there, so that hostile text costs least. */
function hasMoreValues(bytes: Uint8Array, maximum: number): boolean {
  let count = 0;
  for (let index = 0; index < bytes.length; index++) {
    let byte = bytes[index] as number;
    if (byte === quote) {
      // To the end of the string; what a backslash stands before ends none.
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
 * Refuses JSON that would keep the process busy by the mere number of its values: parsing three megabytes of `[]` and looking at each takes
 * over a second, in which no one else is served.
 *
 * @throws AppError invalid_request
 */
export function refuseTooManyValues(bytes: Uint8Array): void {
  if (bytes.byteLength <= maximumJsonValues || !hasMoreValues(bytes, maximumJsonValues)) return;
  throw new AppError('invalid_request', `The body may have at most ${maximumJsonValues} names and values.`);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Stands for a body that is not JSON at all, which no JSON value could. */
export const unparsable = Symbol('unparsable');

/**
 * The value that a body holds, or `unparsable`.
 *
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
