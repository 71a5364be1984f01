import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { StoredFile } from './file-store';

/** The content exceeds the given limit. */
export class FileTooLarge extends Error {
  override name = 'FileTooLarge';
}

/**
 * Streams content to a new file, measuring it on the way. Needs nothing of the server.
 * @throws FileTooLarge beyond `maximumBytes`, which leaves an incomplete file, like other errors
 */
export async function writeMeasured(
  file: string,
  content: Readable,
  maximumBytes = Number.POSITIVE_INFINITY,
): Promise<StoredFile> {
  const hash = createHash('sha256');
  let size = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      hash.update(chunk);
      if (size > maximumBytes) done(new FileTooLarge(`more than ${maximumBytes} bytes`));
      else done(null, chunk);
    },
  });
  await pipeline(content, measure, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
  return { sha256: hash.digest('hex'), size };
}
