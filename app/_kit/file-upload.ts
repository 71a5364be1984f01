import { errorFacts } from './error-facts';

/** What forms that upload a file have in common. */

const megabytes = (bytes: number) => bytes / 1024 / 1024;

/** Why a file can't be uploaded; null if it can. */
export function fileProblem({ size }: Pick<File, 'size'>, maximumBytes: number): string | null {
  if (size === 0) return 'The file is empty.';
  if (size <= maximumBytes) return null;
  return `${Math.ceil(megabytes(size) * 10) / 10} MB is over the ${megabytes(maximumBytes)} MB limit.`;
}

/** A file's bytes in base64 (RFC 4648, section 4). */
export function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onerror = () => reject(reader.error ?? new Error('the file could not be read'));
    // A data URL: its type, a comma, its bytes.
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.readAsDataURL(file);
  });
}

/** Why an upload failed, as a sentence. */
export function uploadReason(error: unknown, maximumBytes: number): string {
  if (error instanceof DOMException) return 'Couldn’t read the file. It may have been moved or deleted.';
  const { code, message, fields } = errorFacts(error);
  if (code === 'payload_too_large') return `The file is over the ${megabytes(maximumBytes)} MB limit.`;
  const reason = fields.content ?? fields.file;
  if (reason) return /^[A-Z]/.test(reason) ? reason : `The file ${reason}.`;
  return message;
}
