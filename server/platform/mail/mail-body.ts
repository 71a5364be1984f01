import { maximumHtmlLength, textToHtml } from '../html/html-text';
import { cleanText } from '../text';
import type { TextPart } from './mail-stream';
import type { Winmail } from './winmail';

/** Converts HTML to text; may be slow. */
export type HtmlToText = (html: string) => Promise<string>;

/** Text and HTML of a message. */
export interface MailBody {
  text: string;
  html: string | null;
}

function isBlank(text: string): boolean {
  return !/\S/.test(text);
}

/** Converts HTML to text, with the limit of one part for all calls together. */
function boundedConverter(toText: HtmlToText): HtmlToText {
  let room = maximumHtmlLength;
  return async (html) => {
    const taken = html.slice(0, room);
    room -= taken.length;
    return taken === '' ? '' : toText(taken);
  };
}

/** The parts of `kind`; within a multipart/alternative, other kinds only if it has none of that kind. */
function selectParts(parts: readonly TextPart[], kind: TextPart['type']): TextPart[] {
  const provided = new Set(parts.filter(({ type }) => type === kind).map(({ alternative }) => alternative));
  return parts.filter(({ type, alternative }) => type === kind || alternative === null || !provided.has(alternative));
}

/**
 * Text and HTML of a message's parts: missing text is converted from HTML, and text next to HTML is converted to
 * HTML, except between alternatives. Several parts are joined like in mailparser.
 */
export async function bodyOf(parts: readonly TextPart[], winmails: readonly Winmail[], toText: HtmlToText): Promise<MailBody> {
  const filled = parts.filter(({ content }) => !isBlank(content));
  const convert = boundedConverter(toText);
  const texts = await Promise.all(
    selectParts(filled, 'text/plain').map(({ type, content }) => (type === 'text/plain' ? content : convert(content))),
  );
  const htmls = selectParts(filled, 'text/html').map(({ type, content }) =>
    type === 'text/html' ? content : textToHtml(content),
  );
  const hasHtml = filled.some(({ type }) => type === 'text/html');
  const html = hasHtml ? htmls.join('<br/>\n') : (winmails.find((winmail) => winmail.html)?.html ?? null);
  const text = texts.join('\n') || winmails.find((winmail) => winmail.text)?.text || (html === null ? '' : await convert(html));
  return { text: cleanText(text), html: html === null ? null : cleanText(html) };
}
