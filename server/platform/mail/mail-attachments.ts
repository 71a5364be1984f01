import { Readable } from 'node:stream';
import { type StoredFile, storeBytes, storeStream } from '../files/content-store';
import { attachmentName, cleanContentType } from './attachment-name';
import { isReportPart, type ReportPart, reportHeadBytes } from './delivery-report';
import { cleanLine } from './mail-characters';
import type { AttachmentPart, MailStream } from './mail-stream';
import type { ParsedAttachment } from './parsed-mail';
import { decodeWinmail, type Winmail, winmailLimits } from './winmail';

/** A part that could not be read: the message's fault, unlike an error of storing it. */
export class BrokenPart extends Error {
  override name = 'BrokenPart';
}

/** An attachment, before the HTML is known that may show it. */
export interface CollectedAttachment extends Omit<ParsedAttachment, 'isInline'> {
  saysInline: boolean;
}

/** What a message's attachments came to. */
export interface Collection {
  attachments: CollectedAttachment[];
  /** The beginnings of the parts a delivery report is made of. */
  reportParts: ReportPart[];
  /** Texts out of a winmail.dat. */
  winmails: Winmail[];
}

type ExtensionOf = (contentType: string) => string | null;

/** The part's bytes, its own errors told apart from those of whoever stores them; `look` sees each piece. */
async function* bytesOf(part: AttachmentPart, look: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of part.content) {
      look(chunk as Buffer);
      yield chunk as Buffer;
    }
  } catch (error) {
    throw new BrokenPart('a part could not be read', { cause: error });
  }
}

function contentIdOf(given: string | null | undefined): string | null {
  return (
    cleanLine(given ?? '')
      .replace(/^<|>$/g, '')
      .trim() || null
  );
}

function isWinmail(contentType: string, filename: string | undefined): boolean {
  const isTnef = contentType === 'application/ms-tnef' || contentType === 'application/vnd.ms-tnef';
  return isTnef || /^winmail\.dat$/i.test(cleanLine(filename ?? ''));
}

interface Description {
  filename: string | undefined;
  contentType: string;
  contentId: string | null;
  saysInline: boolean;
}

function described(file: StoredFile, description: Description, extensionOf: ExtensionOf): CollectedAttachment {
  const { contentType, contentId, saysInline } = description;
  const filename = attachmentName(description.filename, contentType, extensionOf);
  return { ...file, filename, contentType, contentId, saysInline };
}

/** A file made of bytes that are in memory. */
export async function storedAttachment(
  content: Uint8Array,
  filename: string,
  contentType: string,
  contentId: string | null,
  extensionOf: ExtensionOf,
): Promise<CollectedAttachment> {
  const description = { filename, contentType: cleanContentType(contentType), contentId, saysInline: false };
  return described(await storeBytes(content), description, extensionOf);
}

/**
 * Takes what is in a winmail.dat in its place; false where it can't be decoded, or would make more files of the message than it may have
 * parts: storing each takes as long as storing a part. Held in memory, since its format has no order.
 */
async function takeWinmail(content: Buffer, into: Collection, extensionOf: ExtensionOf): Promise<boolean> {
  const heldRtf = into.winmails.reduce((sum, { rtf }) => sum + (rtf?.length ?? 0), 0);
  const winmail = decodeWinmail(content, {
    attachments: winmailLimits.attachments - into.attachments.length,
    rtfBytes: winmailLimits.rtfBytes - heldRtf,
  });
  if (winmail === null) return false;
  into.winmails.push(winmail);
  for (const { filename, contentType, contentId, content: bytes } of winmail.attachments) {
    const type = contentType ?? 'application/octet-stream';
    into.attachments.push(await storedAttachment(bytes, filename, type, contentIdOf(contentId), extensionOf));
  }
  return true;
}

/**
 * Stores one part as it comes in and notes it in `into`. Of the parts that make a delivery report, the beginning is kept.
 *
 * @throws BrokenPart where the part itself fails; whatever storing it fails with
 */
export async function collectAttachment(part: AttachmentPart, stream: MailStream, into: Collection): Promise<void> {
  const contentType = cleanContentType(part.contentType);
  const extensionOf: ExtensionOf = (type) => stream.extensionOf(type);
  const saysInline = part.contentDisposition === 'inline';
  const description = { filename: part.filename, contentType, contentId: contentIdOf(part.cid), saysInline };
  if (isWinmail(contentType, part.filename)) {
    const chunks: Buffer[] = [];
    for await (const chunk of bytesOf(part, () => undefined)) chunks.push(chunk);
    const content = Buffer.concat(chunks);
    if (await takeWinmail(content, into, extensionOf)) return;
    into.attachments.push(described(await storeBytes(content), { ...description, filename: 'winmail.dat' }, extensionOf));
    return;
  }
  const head: Buffer[] = [];
  let room = isReportPart(contentType) ? reportHeadBytes : 0;
  const look = (chunk: Buffer): void => {
    if (room <= 0) return;
    head.push(Buffer.from(chunk.subarray(0, room)));
    room -= chunk.length;
  };
  const file = await storeStream(Readable.from(bytesOf(part, look)));
  if (isReportPart(contentType)) into.reportParts.push({ contentType, head: Buffer.concat(head) });
  into.attachments.push(described(file, description, extensionOf));
}
