import { notFound } from '@/server/platform/errors';
import { openStored } from '@/server/platform/files/content-store';
import { log } from '@/server/platform/log';
import type { HttpAnswer } from './http-message';

/** A stored file, as returned by a procedure with `rest.download`. */
export interface DownloadedFile {
  filename: string;
  contentType: string;
  sha256: string;
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
 * Sends a stored file as a download that browsers save and never render.
 * @param headers additional headers; the file's own take precedence
 * @throws AppError not_found if the file is gone
 */
export async function downloadAnswer(file: DownloadedFile, headers: Record<string, string>): Promise<HttpAnswer> {
  const stored = await openStored(file.sha256);
  if (!stored) {
    log().error({ sha256: file.sha256 }, 'a stored file is missing');
    throw notFound();
  }
  return {
    status: 200,
    headers: {
      ...headers,
      'Content-Type': mediaType.test(file.contentType) ? file.contentType : 'application/octet-stream',
      'Content-Length': String(stored.size),
      'Content-Disposition': contentDisposition(file.filename),
      'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'private, no-store',
    },
    body: stored.stream,
  };
}
