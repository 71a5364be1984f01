import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import { AppError, invalidFields } from '@/server/platform/errors';
import type { IdentityActor } from '../actor';
import { storeStream } from '../files/content-store';
import type { StoredFile } from '../files/file-store';
import { FileTooLarge } from '../files/measured-file';
import { type BodySource, mediaTypeOf, refuseEncoded } from './request-body';

/** A file that was the body of a request, or a part of it; it is in the content store. */
export interface ReceivedFile extends StoredFile {
  /** As the client named it, so perhaps with folders; undefined without a name. */
  filename: string | undefined;
  /** As the client named it, in lower case; empty without one. */
  contentType: string;
}

/** What an operation says of a file that is its body. */
export interface Upload {
  maximumBytes: number;
  /** Refuses a caller before the file is stored. @throws AppError */
  admit(actor: IdentityActor): Promise<void>;
}

/** The field of a form that has the file. */
const field = 'file';

/** Bytes of a form beside its file. */
const formOverhead = 64 * 1024;

/**
 * Stores the file that a request brings without holding it in memory: the field `file` of a form (`multipart/form-data`, RFC
 * 7578), or else the whole body.
 *
 * @throws AppError unsupported_media_type for a compressed body; payload_too_large; invalid_request without a file, and for a form
 *   that can't be read; what `admit` refuses, before the file is read
 */
export async function receiveFile(
  request: BodySource,
  { maximumBytes, admit }: Upload,
  actor: IdentityActor,
): Promise<ReceivedFile> {
  refuseEncoded(request);
  const missing = () => invalidFields({ [field]: 'is required: send a file that is not empty' });
  if (!request.body) throw missing();
  const isForm = mediaTypeOf(request) === 'multipart/form-data';
  const maximumBody = isForm ? maximumBytes + formOverhead : maximumBytes;
  const tooLarge = () => new AppError('payload_too_large', `A file may have at most ${maximumBytes} bytes.`);
  if (Number(request.headers.get('content-length')) > maximumBody) throw tooLarge();
  await admit(actor);
  const body = limited(request.body, maximumBody);
  try {
    const file = isForm ? await fileOfForm(request, body, maximumBytes) : await wholeBody(request, body, maximumBytes);
    if (!file || file.size === 0) throw missing();
    return file;
  } catch (error) {
    throw error instanceof FileTooLarge ? tooLarge() : error;
  }
}

/** @throws FileTooLarge while it is read */
async function* limited(body: NonNullable<BodySource['body']>, maximum: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maximum) throw new FileTooLarge(`more than ${maximum} bytes`);
    yield chunk;
  }
}

async function wholeBody(request: BodySource, body: AsyncIterable<Uint8Array>, maximumBytes: number): Promise<ReceivedFile> {
  const type = mediaTypeOf(request);
  // What curl says of any data if it is not given a type.
  const contentType = type === 'application/x-www-form-urlencoded' ? '' : type;
  return { ...(await storeStream(Readable.from(body), maximumBytes)), filename: undefined, contentType };
}

function formParser({ headers }: BodySource): InstanceType<typeof Busboy> {
  try {
    return new Busboy({
      headers: { 'content-type': headers.get('content-type') ?? '' },
      limits: { fields: 100, fieldSize: 1024, parts: 100, headerPairs: 20, headerSize: 8 * 1024 },
      isPartAFile: (name) => name === field,
    });
  } catch {
    throw invalidFields({ [field]: 'is in a form without a boundary' });
  }
}

async function fileOfForm(
  request: BodySource,
  body: AsyncIterable<Uint8Array>,
  maximumBytes: number,
): Promise<ReceivedFile | undefined> {
  const parser = formParser(request);
  const failed = new AbortController();
  const contents: Readable[] = [];
  const storing: Promise<ReceivedFile>[] = [];
  // It may report an error when nothing waits for it any more.
  parser.on('error', () => undefined);
  parser.on('file', (_name, content, filename, _encoding, contentType) => {
    // It reports that the form ends early by an event alone, perhaps before the file is read.
    content.on('error', (error) => content.destroy(error));
    contents.push(content);
    const stored = storeStream(content, maximumBytes).then((file) => ({ ...file, filename, contentType }));
    // The parser would wait for the rest of a file that is not read on.
    stored.catch((error: unknown) => failed.abort(error));
    storing.push(stored);
  });
  try {
    await pipeline(Readable.from(body), parser, { signal: failed.signal });
  } catch (error) {
    const problem = formProblem(failed.signal.aborted ? failed.signal.reason : (error as Error));
    for (const content of contents) content.destroy(problem);
    await Promise.allSettled(storing);
    throw problem;
  }
  if (storing.length > 1) throw invalidFields({ [field]: 'is given more than once' });
  return storing[0];
}

/** Errors of the sender and of the store remain; others, which have no code, are of the form. */
function formProblem(error: Error & { code?: unknown }): Error {
  if (error instanceof FileTooLarge || error.code !== undefined) return error;
  return invalidFields({ [field]: 'is in a form that ends early or is malformed' });
}
