import { allowedTags, droppedTags, formattingTags, rawTextTags, voidTags } from './html-tags';
import { htmlTokens } from './html-tokens';

const MAX_DEPTH = 400;
const MAX_NODES = 600_000;

const allowed = new Set(allowedTags);
const dropped = new Set(droppedTags);
const tableParts = new Set(['table', 'caption', 'colgroup', 'tbody', 'thead', 'tfoot', 'tr', 'td', 'th']);
const barriers = new Set(['table', 'td', 'th', 'caption']);
/** Open elements that a start tag implicitly ends if adjacent: mail often omits these end tags. */
const endedBy = new Map<string, readonly string[]>([
  ['p', ['p']],
  ['li', ['li', 'p']],
  ['dt', ['dt', 'dd', 'p']],
  ['dd', ['dt', 'dd', 'p']],
  ['tr', ['td', 'th', 'tr', 'p']],
  ['td', ['td', 'th', 'p']],
  ['th', ['td', 'th', 'p']],
  ['tbody', ['td', 'th', 'tr', 'tbody', 'thead', 'tfoot', 'p']],
  ['tfoot', ['td', 'th', 'tr', 'tbody', 'thead', 'tfoot', 'p']],
]);

/** The markup is nested too deeply, or would grow too much in a parser. */
class TooMuchMarkup extends Error {}

class Outline {
  readonly parts: string[] = [];
  private readonly open: { name: string; isDropped: boolean }[] = [];
  private formatting = 0;
  private dropping = 0;
  private nodes = 0;

  text(source: string): void {
    this.count();
    // A lone "<" could become a tag when text next to it is dropped.
    if (this.dropping === 0) this.parts.push(source.replaceAll('<', '&lt;'));
  }

  style(attributes: string, source: string): void {
    this.count();
    this.emit(`<style ${attributes}>${source}</style>`);
  }

  start(name: string, attributes: string): void {
    this.count();
    const isDropped = dropped.has(name);
    if (voidTags.has(name)) {
      if (!isDropped && allowed.has(name)) this.emit(`<${name} ${attributes}>`);
      return;
    }
    if (!isDropped && !allowed.has(name)) return;
    this.endNeighbours(name);
    this.open.push({ name, isDropped });
    if (this.open.length > MAX_DEPTH) throw new TooMuchMarkup();
    if (isDropped) this.dropping += 1;
    else this.emit(`<${name} ${attributes}>`);
    if (formattingTags.has(name)) this.formatting += 1;
  }

  end(name: string): void {
    const index = this.openIndex(name);
    if (index < 0) {
      if (name === 'br') this.emit('<br>');
      return;
    }
    while (this.open.length > index) this.close();
  }

  finish(): string {
    while (this.open.length > 0) this.close();
    return this.parts.join('');
  }

  private endNeighbours(name: string): void {
    const ended = endedBy.get(name);
    while (ended?.includes(this.open.at(-1)?.name ?? '')) this.close();
  }

  private openIndex(name: string): number {
    for (let index = this.open.length - 1; index >= 0; index--) {
      const { name: candidate } = this.open[index] ?? { name: '' };
      if (candidate === name) return index;
      // A table part's end tag does not reach beyond its table, any other not beyond its cell.
      if (tableParts.has(name) ? candidate === 'table' : barriers.has(candidate)) return -1;
    }
    return -1;
  }

  private close(): void {
    const last = this.open.pop();
    if (!last) return;
    if (formattingTags.has(last.name)) this.formatting -= 1;
    if (last.isDropped) this.dropping -= 1;
    else this.emit(`</${last.name}>`);
  }

  private emit(source: string): void {
    if (this.dropping === 0) this.parts.push(source);
  }

  /** A parser may repeat every open formatting element around every piece, so each piece is charged with that. */
  private count(): void {
    this.nodes += 1 + this.formatting;
    if (this.nodes > MAX_NODES) throw new TooMuchMarkup();
  }
}

/**
 * Normalises HTML: closes every element, unwraps unknown ones and drops unreadable ones. It does not sanitise; it makes parsing
 * time linear in the length, which no HTML parser guarantees for misnested markup. A body's colours and fonts are kept on a
 * `div` that replaces it.
 * @throws TooMuchMarkup
 */
export function outlineHtml(html: string): string {
  const outline = new Outline();
  for (const token of htmlTokens(html)) {
    if (token.kind === 'text') outline.text(token.source);
    else if (token.kind === 'raw') {
      if (token.name === 'style') outline.style(token.attributes, token.source);
    } else if (rawTextTags.has(token.name)) {
      // Their content was already emitted or dropped as a whole.
    } else {
      const name = token.name === 'body' ? 'div' : token.name === 'image' ? 'img' : token.name;
      if (token.kind === 'start') outline.start(name, token.attributes);
      else outline.end(name);
    }
  }
  return outline.finish();
}

const lineBreaking = /^(?:p|div|br|tr|table|ul|ol|li|h[1-6]|blockquote|pre|hr|center|section|article|header|footer|dt|dd)$/;

/** Maximum HTML in characters for text extraction. */
export const maximumTextSource = 512 * 1024;

/** The text of HTML, as HTML for a `<pre>`: no elements, character references unchanged. Accepts any input. */
export function textMarkup(html: string): string {
  const parts: string[] = [];
  for (const token of htmlTokens(html)) {
    if (token.kind === 'text') parts.push(token.source.replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
    else if (token.kind === 'start' && lineBreaking.test(token.name)) parts.push('\n');
  }
  return parts.join('').replace(/\n\s+/g, '\n').trim();
}

/** The text of HTML as plain text, with character references unchanged. For HTML that can't be converted properly. */
export function bareText(html: string): string {
  return textMarkup(html.slice(0, maximumTextSource)).replaceAll('&lt;', '<').replaceAll('&gt;', '>');
}
