import { allowedTags, droppedTags, formattingTags, rawTextTags, voidTags } from './html-tags';
import { htmlTokens } from './html-tokens';

const MAX_DEPTH = 400;
const MAX_NODES = 600_000;

const allowed = new Set(allowedTags);
const dropped = new Set(droppedTags);
const tableParts = new Set(['table', 'caption', 'colgroup', 'tbody', 'thead', 'tfoot', 'tr', 'td', 'th']);
const barriers = new Set(['table', 'td', 'th', 'caption']);
/** Which open elements a start tag ends, when they are its neighbours: mail often leaves these end tags out. */
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

/** Markup that is nested too deeply, or would grow too much in a parser, to be shown as it is. */
class TooMuchMarkup extends Error {}

class Outline {
  readonly parts: string[] = [];
  private readonly open: { name: string; isDropped: boolean }[] = [];
  private formatting = 0;
  private dropping = 0;
  private nodes = 0;

  text(source: string): void {
    this.count();
    // A "<" that opens nothing by itself could do so beside what is left out between two tokens.
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
      // The end of a table's part does not reach beyond its table, that of anything else not beyond its cell.
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

  /** A parser may repeat every open formatting element around every piece, so that is what a piece may cost. */
  private count(): void {
    this.nodes += 1 + this.formatting;
    if (this.nodes > MAX_NODES) throw new TooMuchMarkup();
  }
}

/**
 * The same HTML with every element closed where it ends, unknown ones unwrapped, and unreadable ones dropped. It makes nothing safe;
 * it makes sure that parsing takes an effort in proportion to the length, which no HTML parser promises for misnested markup.
 * The colours and fonts of a body are kept on a division in its place.
 * @throws TooMuchMarkup
 */
export function outlineHtml(html: string): string {
  const outline = new Outline();
  for (const token of htmlTokens(html)) {
    if (token.kind === 'text') outline.text(token.source);
    else if (token.kind === 'raw') {
      if (token.name === 'style') outline.style(token.attributes, token.source);
    } else if (rawTextTags.has(token.name)) {
      // Their content came, or went, as a whole.
    } else {
      const name = token.name === 'body' ? 'div' : token.name === 'image' ? 'img' : token.name;
      if (token.kind === 'start') outline.start(name, token.attributes);
      else outline.end(name);
    }
  }
  return outline.finish();
}

const lineBreaking = /^(?:p|div|br|tr|table|ul|ol|li|h[1-6]|blockquote|pre|hr|center|section|article|header|footer|dt|dd)$/;

/** Words are read from so much HTML, in characters. */
export const maximumWords = 512 * 1024;

/** The words of HTML as HTML for a `<pre>`: no elements, character references as they were. Takes any input. */
export function htmlWords(html: string): string {
  const parts: string[] = [];
  for (const token of htmlTokens(html)) {
    if (token.kind === 'text') parts.push(token.source.replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
    else if (token.kind === 'start' && lineBreaking.test(token.name)) parts.push('\n');
  }
  return parts.join('').replace(/\n\s+/g, '\n').trim();
}

/** The words of HTML as plain text; character references stay. For HTML that can't be converted properly. */
export function wordsOf(html: string): string {
  return htmlWords(html.slice(0, maximumWords)).replaceAll('&lt;', '<').replaceAll('&gt;', '>');
}
