import type { Readable } from 'node:stream';
import { notFound } from '@/server/platform/errors';
import { openStored } from '@/server/platform/files/content-store';
import { log } from '@/server/platform/log';
import type { HttpAnswer } from './http-message';

interface NamedFile {
  filename: string;
  contentType: string;
}

/** A file of the content store, or one that is made as it is read; as returned by a procedure with `rest.download`. */
export type DownloadedFile = NamedFile & ({ sha256: string } | { version: string; open(): Readable });

/** Changes with the file: what its tag is made of. */
export function descriptionOf(file: DownloadedFile): string {
  const { filename, contentType } = file;
  return JSON.stringify([filename, contentType, 'open' in file ? file.version : file.sha256]);
}

/** The bytes of a file, and how many there are, if that is known. @throws AppError not_found if it is gone */
async function openFile(file: DownloadedFile): Promise<{ stream: Readable; size?: number }> {
  if ('open' in file) return { stream: file.open() };
  const stored = await openStored(file.sha256);
  if (stored) return stored;
  log().error({ sha256: file.sha256 }, 'a stored file is missing');
  throw notFound();
}

/** Content-Disposition with a file name (RFC 6266): an ASCII fallback and the full name. */
function contentDisposition(filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

const mediaType = /^[a-z0-9!#$&^_.+-]{1,64}\/[a-z0-9!#$&^_.+-]{1,64}$/;

/**
 * Sends a file as a download that browsers save and never render.
 * @param headers additional headers; the file's own take precedence
 * @throws AppError not_found if the file is gone
 */
export async function downloadAnswer(file: DownloadedFile, headers: Record<string, string>): Promise<HttpAnswer> {
  const { stream, size } = await openFile(file);
  return {
    status: 200,
    headers: {
      ...headers,
      'Content-Type': mediaType.test(file.contentType) ? file.contentType : 'application/octet-stream',
      ...(size === undefined ? {} : { 'Content-Length': String(size) }),
      'Content-Disposition': contentDisposition(file.filename),
      'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'private, no-store',
    },
    body: stream,
  };
}
