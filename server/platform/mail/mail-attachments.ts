import { Readable } from 'node:stream';
import type { StoredFile } from '../files/file-store';
import { cleanLine } from '../text';
import { attachmentName, cleanContentType } from './attachment-name';
import { isReportPart, isStatusPart, type ReportPart, reportHeadBytes } from './delivery-report';
import type { MailPart, MailStream, TextPart } from './mail-stream';
import type { ParsedAttachment } from './parsed-mail';
import { decodeWinmail, type Winmail, winmailLimits } from './winmail';

/** The part can't be read: a fault of the message, not of storage. */
export class BrokenPart extends Error {
  override name = 'BrokenPart';
}

/** An attachment before `isInline` is known, which depends on the HTML. */
export interface CollectedAttachment extends Omit<ParsedAttachment, 'isInline'> {
  isMarkedInline: boolean;
}

/** Stores an attachment, without holding it in memory. */
export type Keep = (content: Readable) => Promise<StoredFile>;

/** The collected parts of a message. */
export interface Collection {
  texts: TextPart[];
  attachments: CollectedAttachment[];
  /** The heads of the parts of a delivery report. */
  reportParts: ReportPart[];
  /** Decoded winmail.dat files. */
  winmails: Winmail[];
}

type ExtensionOf = (contentType: string) => string | null;

/** The part's bytes; wraps its own errors, to distinguish them from storage errors. `onChunk` sees each chunk. */
export async function* bytesOf(part: MailPart, onChunk: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of part.content) {
      onChunk(chunk as Buffer);
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
  isMarkedInline: boolean;
}

function toAttachment(file: StoredFile, description: Description, extensionOf: ExtensionOf): CollectedAttachment {
  const { contentType, contentId, isMarkedInline } = description;
  const filename = attachmentName(description.filename, contentType, extensionOf);
  return { ...file, filename, contentType, contentId, isMarkedInline };
}

/** Stores content that is not a part of its own as an attachment. */
export async function storedAttachment(
  content: Uint8Array | Readable,
  filename: string,
  contentType: string,
  contentId: string | null,
  extensionOf: ExtensionOf,
  keep: Keep,
): Promise<CollectedAttachment> {
  const description = { filename, contentType: cleanContentType(contentType), contentId, isMarkedInline: false };
  const file = await keep(content instanceof Readable ? content : Readable.from([content]));
  return toAttachment(file, description, extensionOf);
}

/**
 * Replaces a winmail.dat by its contents. False if it can't be decoded, or has more files than a message may have parts:
 * storing each takes as long as storing a part. Held in memory, since the format can't be streamed.
 */
async function unpackWinmail(content: Buffer, into: Collection, extensionOf: ExtensionOf, keep: Keep): Promise<boolean> {
  const heldRtf = into.winmails.reduce((sum, { rtf }) => sum + (rtf?.length ?? 0), 0);
  const winmail = decodeWinmail(content, {
    attachments: winmailLimits.attachments - into.attachments.length,
    rtfBytes: winmailLimits.rtfBytes - heldRtf,
  });
  if (winmail === null) return false;
  into.winmails.push(winmail);
  for (const { filename, contentType, contentId, content: bytes } of winmail.attachments) {
    const type = contentType ?? 'application/octet-stream';
    into.attachments.push(await storedAttachment(bytes, filename, type, contentIdOf(contentId), extensionOf, keep));
  }
  return true;
}

/** How much of a part is kept in memory for a delivery report, in bytes: a message may have many such parts. */
function reportRoom(contentType: string, { reportParts }: Collection): number {
  if (!isReportPart(contentType)) return 0;
  const alike = reportParts.filter((part) => isStatusPart(part.contentType) === isStatusPart(contentType));
  return alike.reduce((room, part) => room - part.head.length, reportHeadBytes);
}

/**
 * Streams one part to storage and adds it to `into`. Keeps the head of delivery report parts.
 * @throws BrokenPart if the part itself fails; storage errors unchanged
 */
export async function collectAttachment(part: MailPart, stream: MailStream, into: Collection, keep: Keep): Promise<void> {
  const contentType = cleanContentType(part.contentType);
  const extensionOf: ExtensionOf = (type) => stream.extensionOf(type);
  const isMarkedInline = part.contentDisposition === 'inline';
  const description = { filename: part.filename, contentType, contentId: contentIdOf(part.cid), isMarkedInline };
  if (isWinmail(contentType, part.filename)) {
    const chunks: Buffer[] = [];
    for await (const chunk of bytesOf(part, () => undefined)) chunks.push(chunk);
    const content = Buffer.concat(chunks);
    if (await unpackWinmail(content, into, extensionOf, keep)) return;
    into.attachments.push(
      toAttachment(await keep(Readable.from([content])), { ...description, filename: 'winmail.dat' }, extensionOf),
    );
    return;
  }
  const head: Buffer[] = [];
  let room = reportRoom(contentType, into);
  const look = (chunk: Buffer): void => {
    if (room <= 0) return;
    head.push(Buffer.from(chunk.subarray(0, room)));
    room -= chunk.length;
  };
  const file = await keep(Readable.from(bytesOf(part, look)));
  if (isReportPart(contentType)) into.reportParts.push({ contentType, head: Buffer.concat(head) });
  into.attachments.push(toAttachment(file, description, extensionOf));
}
