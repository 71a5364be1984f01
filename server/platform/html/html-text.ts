import { convert, type FormatCallback } from 'html-to-text';
import { cutText } from '../text';

/** Maximum HTML to convert to text, in UTF-16 units. */
export const maximumHtmlLength = 256 * 1024;

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Separates a table cell from the next one in its row. */
const cell: FormatCallback = (element, walk, builder) => {
  walk(element.children, builder);
  builder.addInline(' ');
};

/** The description of a picture. */
const description: FormatCallback = ({ attribs }, _, builder) => {
  if (attribs?.alt) builder.addInline(`[${attribs.alt}]`);
};

interface TextOptions {
  /** Whether addresses of links follow them, and pictures are described. */
  keepsAddresses?: boolean;
}

/** The visible text of HTML, by default without images and link addresses. Bounded in time and length. */
export function htmlToText(html: string, { keepsAddresses = false }: TextOptions = {}): string {
  const link = keepsAddresses ? { hideLinkHrefIfSameAsText: true, linkBrackets: ['(', ')'] } : { ignoreHref: true };
  return convert(cutText(html, maximumHtmlLength), {
    wordwrap: false,
    formatters: { cell, description },
    limits: { maxInputLength: maximumHtmlLength, maxDepth: 100, maxChildNodes: 20_000, ellipsis: '' },
    selectors: [
      { selector: 'a', options: link },
      { selector: 'img', format: keepsAddresses ? 'description' : 'skip' },
      { selector: 'h1', options: { uppercase: false } },
      { selector: 'h2', options: { uppercase: false } },
      { selector: 'h3', options: { uppercase: false } },
      { selector: 'h4', options: { uppercase: false } },
      { selector: 'h5', options: { uppercase: false } },
      { selector: 'h6', options: { uppercase: false } },
      { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
      { selector: 'td', format: 'cell' },
      { selector: 'th', format: 'cell' },
      { selector: 'blockquote', options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } },
    ],
  }).trim();
}

/** Converts plain text to HTML, preserving line breaks. */
export function textToHtml(text: string): string {
  return `<div style="white-space: pre-wrap">${text.replace(/[&<>]/g, (character) => escapes[character] ?? '')}</div>`;
}
