import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { openStored } from '@/server/platform/files/content-store';
import { type RawMail, receiveRawMail } from '@/server/platform/mail/raw-mail';

/**
 * Lines of a message, each terminated according to RFC 5322. A string has one character per byte, so that it can contain any
 * bytes.
 */
export function lines(...content: string[]): string {
  return content.map((line) => `${line}\r\n`).join('');
}

/** UTF-8 bytes, one character each. */
export function utf8(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** Base64 in lines of a mail's length. */
export function base64(content: Uint8Array): string {
  return (
    Buffer.from(content)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  ).join('\r\n');
}

/** A multipart's body. */
export function multipart(boundary: string, ...parts: string[]): string {
  return `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`;
}

const waiting: RawMail[] = [];

/** Removes the files that `received` has created. */
export async function discardReceived(): Promise<void> {
  for (const raw of waiting.splice(0)) await raw.discard();
}

/** A whole message in the form of a received one. */
export async function received(message: string | Uint8Array): Promise<RawMail> {
  const bytes = typeof message === 'string' ? Buffer.from(message, 'latin1') : message;
  const raw = await receiveRawMail(Readable.from([bytes]), { drainExcess: true });
  waiting.push(raw);
  return raw;
}

export function sha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** The file with this hash in the content store. */
export async function storedContent(hash: string): Promise<Buffer> {
  const stored = await openStored(hash);
  if (stored === null) throw new Error(`nothing is stored under ${hash}`);
  const chunks: Buffer[] = [];
  for await (const chunk of stored.stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
