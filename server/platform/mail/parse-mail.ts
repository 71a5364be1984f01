import type { Readable } from 'node:stream';
import { cleanLine, cutText } from '../text';
import { deliveryReport, isDeliveryReport } from './delivery-report';
import { listUnsubscribeOf } from './list-unsubscribe';
import { mailboxes, senderOf } from './mail-addresses';
import {
  BrokenPart,
  type CollectedAttachment,
  type Collection,
  collectAttachment,
  type Keep,
  storedAttachment,
} from './mail-attachments';
import { bodyOf, type HtmlToText, type MailBody } from './mail-body';
import { sentAtOf } from './mail-date';
import { firstHeader, isAutoReply, messageId, messageIds, referencesOf } from './mail-headers';
import { type MailPart, MailStream } from './mail-stream';
import { collectText, fullTextName, maximumLength } from './mail-texts';
import { type MailAddress, type ParsedAttachment, type ParsedMail, UnparsableMail } from './parsed-mail';

/** Longer than any real subject. */
const maximumSubjectLength = 2_000;

/** Maximum mailboxes of all recipients and Reply-To together. */
const maximumMailboxes = 2_000;

/** The message is invalid, as opposed to a read or storage error. */
class Malformed extends Error {
  override name = 'Malformed';
}

/** The bytes of a message. */
export interface MessageSource {
  open(): Readable;
  /** SHA-256 in hexadecimal. */
  sha256: string;
}

/** What parsing needs from where it runs: the server, or a thread that has nothing of it. */
export interface ParsingTools {
  keep: Keep;
  toText: HtmlToText;
}

/**
 * Parses a message (RFC 5322, MIME). Attachments are streamed to `keep`; only as much text as a message may have is in memory.
 * @throws UnparsableMail for an unreadable message; errors of `source` and `keep` unchanged. Files kept until then may remain:
 * nothing names them, so they are swept.
 */
export async function parseMessage(source: MessageSource, tools: ParsingTools): Promise<ParsedMail> {
  try {
    const stream = new MailStream();
    const collection = await collect(source.open(), stream, tools.keep);
    return await assemble(source, stream, collection, tools);
  } catch (error) {
    if (error instanceof Malformed) throw new UnparsableMail(reasonOf(error.cause), { cause: error.cause });
    throw error;
  }
}

/** The reason shown in the quarantine. */
function reasonOf(cause: unknown): string {
  const { code, message = '' } = cause as { code?: string; message?: string };
  if (code === 'EMAXLEN' && /header/i.test(message)) return 'The message has more than 1 MiB of headers in one part.';
  if (code === 'EMAXLEN') return 'The message has too many attachments or parts (over 1,000).';
  return `The message could not be read: ${cleanLine(message).slice(0, 300) || 'its parts do not fit together'}.`;
}

async function collect(source: Readable, stream: MailStream, keep: Keep): Promise<Collection> {
  const collection: Collection = { texts: [], attachments: [], reportParts: [], winmails: [] };
  let content: Readable | undefined;
  let sourceError: Error | undefined;
  let streamError: Error | undefined;
  source.on('error', (error) => {
    sourceError ??= error;
    stream.destroy(error);
  });
  // Stays attached, since a broken message may fail more than once.
  stream.on('error', (error) => {
    streamError ??= error;
    content?.destroy(error);
  });
  source.pipe(stream);
  try {
    for await (const part of partsOf(stream)) {
      content = part.content;
      // An aborted stream emits one more error; ignore it.
      content.on('error', () => undefined);
      if (part.text) await collectText(part, part.text, stream, collection, keep);
      else await collectAttachment(part, stream, collection, keep);
      content = undefined;
      part.release();
    }
  } catch (error) {
    if (sourceError !== undefined) throw sourceError;
    if (error instanceof BrokenPart) throw new Malformed('broken part', { cause: streamError ?? error.cause });
    throw error;
  } finally {
    source.destroy();
    stream.destroy();
  }
  return collection;
}

async function* partsOf(stream: MailStream): AsyncGenerator<MailPart> {
  try {
    for await (const part of stream) yield part as MailPart;
  } catch (error) {
    throw new Malformed('broken message', { cause: error });
  }
}

/** Ids of a header, which some servers write as encoded words. */
function idsOf(stream: MailStream, key: string): string[] {
  const value = firstHeader(stream.lines, key);
  return value === null ? [] : messageIds(stream.decodeWords(value));
}

/** The other people named in the message; beyond the limit, later fields are dropped. */
function namedAddresses(stream: MailStream): Pick<ParsedMail, 'replyTo' | 'to' | 'cc' | 'bcc'> {
  let room = maximumMailboxes;
  const next = (key: string): MailAddress[] => {
    const found = mailboxes(stream.addressObjects(key)).slice(0, room);
    room -= found.length;
    return found;
  };
  return { replyTo: next('reply-to'), to: next('to'), cc: next('cc'), bcc: next('bcc') };
}

/** True for a multipart message (RFC 2046 5.1) in which no parts could be separated: all of it would be lost. */
function hasLostParts({ decoded }: MailStream, collection: Collection): boolean {
  const { value = '' } = (decoded.get('content-type') ?? {}) as { value?: string };
  return /^\s*multipart\//i.test(value) && Object.values(collection).every((list) => list.length === 0);
}

async function assemble(
  source: MessageSource,
  stream: MailStream,
  collection: Collection,
  { keep, toText }: ParsingTools,
): Promise<ParsedMail> {
  const { decoded, lines } = stream;
  if (hasLostParts(stream, collection)) {
    throw new Malformed('no parts', { cause: new Error('its parts are missing') });
  }
  const body = await bodyOf(collection.texts, collection.winmails, toText);
  const made = `<${source.sha256}@missing-message-id.invalid>`;
  const ownId = messageId(stream.decodeWords(firstHeader(lines, 'message-id') ?? '')) ?? made;
  const inReplyTo = idsOf(stream, 'in-reply-to');
  const isReport = isDeliveryReport(decoded.get('content-type') as Parameters<typeof isDeliveryReport>[0]);
  return {
    messageId: ownId,
    inReplyTo: inReplyTo[0] ?? null,
    references: referencesOf(idsOf(stream, 'references'), inReplyTo, ownId),
    from: senderOf(stream.addressObjects('from'), stream.addressObjects('sender')),
    ...namedAddresses(stream),
    deliveredTo: mailboxes(stream.addressObjects('delivered-to')).map(({ email }) => email),
    subject: cutText(cleanLine(String(decoded.get('subject') ?? '')), maximumSubjectLength),
    text: cutText(body.text, maximumLength['text/plain']),
    html: body.html === null ? null : cutText(body.html, maximumLength['text/html']),
    sentAt: sentAtOf(firstHeader(lines, 'date')),
    isAutoReply: isAutoReply(lines),
    unsubscribe: listUnsubscribeOf(lines),
    report: isReport ? deliveryReport(collection.reportParts) : null,
    attachments: withInline(
      [
        ...collection.attachments,
        ...(await overlongAttachments(body, stream, keep)),
        ...(await rtfBody(body, collection, stream, keep)),
      ],
      body,
    ),
  };
}

/** Text and HTML as attachments where several parts, or a winmail.dat, make more of them than a message may have. */
async function overlongAttachments({ text, html }: MailBody, stream: MailStream, keep: Keep): Promise<CollectedAttachment[]> {
  const extensionOf = (type: string) => stream.extensionOf(type);
  const kept: CollectedAttachment[] = [];
  for (const [type, content] of [
    ['text/plain', text],
    ['text/html', html ?? ''],
  ] as const) {
    if (content.length <= maximumLength[type]) continue;
    kept.push(await storedAttachment(Buffer.from(content), fullTextName[type], type, null, extensionOf, keep));
  }
  return kept;
}

/** The RTF of a winmail.dat as an attachment, if the message has no other body. */
async function rtfBody(body: MailBody, { winmails }: Collection, stream: MailStream, keep: Keep): Promise<CollectedAttachment[]> {
  const rtf = winmails.find((winmail) => winmail.rtf !== null)?.rtf;
  if (!rtf || body.html !== null || /\S/.test(body.text)) return [];
  return [await storedAttachment(rtf, 'message.rtf', 'application/rtf', null, (type) => stream.extensionOf(type), keep)];
}

/** Content ids that the HTML refers to by `cid:` (RFC 2392), as written and percent-decoded. */
function inlineContentIds(html: string): Set<string> {
  const shown = new Set<string>();
  for (const [, id = ''] of html.matchAll(/\bcid:([^"'\s<>)]{1,998})/gi)) {
    shown.add(id);
    try {
      shown.add(decodeURIComponent(id));
    } catch {
      // Not percent-encoded.
    }
  }
  return shown;
}

function withInline(attachments: CollectedAttachment[], body: MailBody): ParsedAttachment[] {
  const shown = inlineContentIds(body.html ?? '');
  return attachments.map(({ isMarkedInline, ...attachment }) => {
    const { contentId } = attachment;
    return { ...attachment, isInline: contentId !== null && (isMarkedInline || shown.has(contentId)) };
  });
}
