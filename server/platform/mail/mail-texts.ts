import { pipeline, Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { cutText } from '../text';
import { unflowed } from './flowed-text';
import { bytesOf, type Collection, type Keep, storedAttachment } from './mail-attachments';
import type { MailPart, MailStream, TextForm } from './mail-stream';

/** Maximum text and HTML of a message, in UTF-16 units; longer ones are kept complete as attachments. */
export const maximumLength: Readonly<Record<TextForm['type'], number>> = {
  'text/plain': 256 * 1024,
  'text/html': 1024 * 1024,
};

/** The name of a text that is kept as an attachment. */
export const fullTextName: Readonly<Record<TextForm['type'], string>> = {
  'text/plain': 'message.txt',
  'text/html': 'message.html',
};

/** The part's text in pieces, as it arrives. */
async function* piecesOf(part: MailPart, { charset }: TextForm, stream: MailStream): AsyncGenerator<string> {
  const bytes = bytesOf(part, () => undefined);
  const decoder = stream.charsetDecoder(charset);
  // A failing part destroys the decoder with its error, which is thrown here.
  const decoded = decoder === null ? bytes : pipeline(Readable.from(bytes), decoder, () => undefined);
  const utf8 = new StringDecoder('utf8');
  for await (const piece of decoded) yield typeof piece === 'string' ? piece : utf8.write(piece as Buffer);
  yield utf8.end();
}

/** Replaces CRLF by LF. */
async function* withUnixLines(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let pending = '';
  for await (const next of pieces) {
    const piece = pending + next;
    pending = piece.endsWith('\r') ? '\r' : '';
    yield (pending ? piece.slice(0, -1) : piece).replaceAll('\r\n', '\n');
  }
  yield pending;
}

async function* inOrder(begun: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield begun;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/**
 * Reads a text of the message, and adds it to `into`. No more than fits into a message is held in memory: of a longer one the
 * beginning is the text, and all of it becomes an attachment in UTF-8, streamed to storage.
 * @throws BrokenPart if the part itself fails; storage errors unchanged
 */
export async function collectText(
  part: MailPart,
  form: TextForm,
  stream: MailStream,
  into: Collection,
  keep: Keep,
): Promise<void> {
  const { type, isFlowed, delSp, alternative } = form;
  const taken = into.texts.reduce((sum, text) => sum + (text.type === type ? text.content.length : 0), 0);
  const room = Math.max(maximumLength[type] - taken, 0);
  const pieces = withUnixLines(piecesOf(part, form, stream));
  let content = '';
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    content += next.value;
    if (content.length > room) break;
  }
  if (content.length > room) {
    const full = Readable.from(inOrder(content, pieces));
    into.attachments.push(
      await storedAttachment(full, fullTextName[type], type, null, (other) => stream.extensionOf(other), keep),
    );
    content = cutText(content, room);
  }
  into.texts.push({ type, content: isFlowed ? unflowed(content, delSp) : content, alternative });
}
