import { renderPool } from '../rendering/render-pool';
import { htmlToText, maximumHtmlLength, textToHtml } from './html-text';
import { isHeavyHtml } from './html-view';
import { cleanText } from './mail-characters';
import type { TextPart } from './mail-stream';
import type { Winmail } from './winmail';

/** Text and HTML of a message, uncut. */
export interface MailBody {
  text: string;
  html: string | null;
}

function isBlank(text: string): boolean {
  return !/\S/.test(text);
}

/** Makes HTML into text, altogether no more of it than is made of one part. What may take long is done in a thread. */
function boundedConverter(): (html: string) => Promise<string> {
  let room = maximumHtmlLength;
  return async (html) => {
    const taken = html.slice(0, room);
    room -= taken.length;
    if (taken === '') return '';
    return isHeavyHtml(taken) ? renderPool().mailText(taken, { owner: 'mail' }) : htmlToText(taken);
  };
}

/** The parts of `kind`; of those in a multipart/alternative, others only where it has none of that kind. */
function chosen(parts: readonly TextPart[], kind: TextPart['type']): TextPart[] {
  const provided = new Set(parts.filter(({ type }) => type === kind).map(({ alternative }) => alternative));
  return parts.filter(({ type, alternative }) => type === kind || alternative === null || !provided.has(alternative));
}

/**
 * Text and HTML of the parts of a message, each complete: what is there only as HTML is made into text, and beside HTML text is made
 * into HTML, except between alternatives of each other. Several parts are joined as mailparser joins them.
 */
export async function bodyOf(parts: readonly TextPart[], winmails: readonly Winmail[]): Promise<MailBody> {
  const filled = parts.filter(({ content }) => !isBlank(content));
  const convert = boundedConverter();
  const texts = await Promise.all(
    chosen(filled, 'text/plain').map(({ type, content }) => (type === 'text/plain' ? content : convert(content))),
  );
  const htmls = chosen(filled, 'text/html').map(({ type, content }) => (type === 'text/html' ? content : textToHtml(content)));
  const hasHtml = filled.some(({ type }) => type === 'text/html');
  const html = hasHtml ? htmls.join('<br/>\n') : (winmails.find((winmail) => winmail.html)?.html ?? null);
  const text = texts.join('\n') || winmails.find((winmail) => winmail.text)?.text || (html === null ? '' : await convert(html));
  return { text: cleanText(text), html: html === null ? null : cleanText(html) };
}
