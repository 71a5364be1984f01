import { createReadStream } from 'node:fs';
import path from 'node:path';
import type { StoredFile } from '../files/file-store';
import { writeMeasured } from '../files/measured-file';
import { htmlToText } from '../html/html-text';
import { parseMessage } from './parse-mail';
import { type ParsedMail, UnparsableMail } from './parsed-mail';

/*
 * The task of the threads that parse large messages. Imports nothing else of the server: threads need no settings and must not
 * have secrets.
 */

export interface ParseTask {
  /** The message's file, and its SHA-256 in hexadecimal. */
  file: string;
  sha256: string;
  /** An empty folder for its attachments. */
  folder: string;
}

/** The result in a form that can be sent between threads; errors would lose their codes. */
export type ParseResult =
  | { kind: 'parsed'; mail: ParsedMail; files: (StoredFile & { file: string })[] }
  | { kind: 'unparsable'; reason: string }
  | { kind: 'failed'; code: string | undefined; message: string };

export async function parse({ file, sha256, folder }: ParseTask): Promise<ParseResult> {
  const files: (StoredFile & { file: string })[] = [];
  try {
    const source = { open: () => createReadStream(file), sha256 };
    const mail = await parseMessage(source, {
      keep: async (content) => {
        const target = path.join(folder, String(files.length));
        const stored = await writeMeasured(target, content);
        files.push({ ...stored, file: target });
        return stored;
      },
      toText: async (html) => htmlToText(html),
    });
    return { kind: 'parsed', mail, files };
  } catch (error) {
    if (error instanceof UnparsableMail) return { kind: 'unparsable', reason: error.message };
    const { code, message } = error as NodeJS.ErrnoException;
    return { kind: 'failed', code, message };
  }
}
