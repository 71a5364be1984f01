import { ID_PREFIX } from './html-sanitizer';
import { attribute, type HtmlContent, type HtmlElement, type HtmlNode, type HtmlRoot } from './html-tree';

/** Siblings `from` (inclusive) to `to` (exclusive), and their range in reading order. */
interface Quote {
  parent: HtmlRoot | HtmlElement;
  from: number;
  to: number;
  start: number;
  end: number;
}

const quoteClasses = [
  'gmail_quote',
  'gmail_quote_container',
  'yahoo_quoted',
  'protonmail_quote',
  'tutanota_quote',
  'zmail_extra',
];
const parentsOfBlocks = new Set([
  'div',
  'td',
  'th',
  'center',
  'section',
  'article',
  'main',
  'blockquote',
  'li',
  'dd',
  'header',
  'footer',
]);

function isElement(node: HtmlNode | undefined): node is HtmlElement {
  return node?.type === 'element';
}

function hasClass(element: HtmlElement, ...names: string[]): boolean {
  const classes = attribute(element, 'className').split(' ');
  return names.some((name) => classes.includes(name));
}

/** Number of siblings from `index` that are quoted mail; 0 if none starts there. */
function quotedSiblings(siblings: HtmlNode[], index: number): number {
  const element = siblings[index];
  if (!isElement(element)) return 0;
  const id = attribute(element, 'id').slice(ID_PREFIX.length);
  if (id === 'appendonsend' || id === 'divRplyFwdMsg' || hasClass(element, 'OutlookMessageHeader'))
    return siblings.length - index;
  if (hasClass(element, 'moz-cite-prefix')) {
    const next = siblings.findIndex((sibling, at) => at > index && isElement(sibling));
    const quote = siblings[next];
    return isElement(quote) && quote.tagName === 'blockquote' ? next + 1 - index : 0;
  }
  const isCited = element.tagName === 'blockquote' && attribute(element, 'type') === 'cite';
  return isCited || hasClass(element, ...quoteClasses) ? 1 : 0;
}

class Reading {
  readonly quotes: Quote[] = [];
  firstText = Number.POSITIVE_INFINITY;
  lastText = -1;
  private place = 0;

  read(parent: HtmlRoot | HtmlElement, insideQuote: boolean, mayFold: boolean): void {
    let quotedUntil = -1;
    let quote: Quote | undefined;
    parent.children.forEach((child, index) => {
      this.place += 1;
      if (!insideQuote && mayFold && index >= quotedUntil) {
        const count = quotedSiblings(parent.children, index);
        if (count > 0) {
          quotedUntil = index + count;
          quote = { parent, from: index, to: quotedUntil, start: this.place, end: this.place };
          this.quotes.push(quote);
        }
      }
      this.node(child, insideQuote || index < quotedUntil);
      if (quote && index < quotedUntil) quote.end = this.place;
    });
  }

  private node(node: HtmlNode, insideQuote: boolean): void {
    if (node.type === 'text' && /[^\s\u00a0\u200b-\u200f\u2060\ufeff]/.test(node.value)) this.words();
    if (!isElement(node) || node.tagName === 'style') return;
    if (node.tagName === 'img') this.words();
    this.read(node, insideQuote, parentsOfBlocks.has(node.tagName));
  }

  private words(): void {
    this.firstText = Math.min(this.firstText, this.place);
    this.lastText = this.place;
  }
}

/**
 * Collapses quoted mail at the end of a reply into a closed `details`, if mail programs mark it. Mail without text of its own
 * above (a forward), and quotes with an answer below, stay unchanged. Expects a sanitised tree, and changes it.
 */
export function foldQuotes(tree: HtmlRoot): void {
  const reading = new Reading();
  reading.read(tree, false, true);
  const quote = reading.quotes.find(({ end }) => end >= reading.lastText);
  if (!quote || reading.firstText >= quote.start || reading.lastText < quote.start) return;
  const { parent, from, to } = quote;
  const summary: HtmlElement = {
    type: 'element',
    tagName: 'summary',
    properties: { lang: 'en', dir: 'ltr' },
    children: [{ type: 'text', value: 'Earlier messages' }],
  };
  const quoted = parent.children.slice(from, to) as HtmlContent[];
  const details: HtmlElement = {
    type: 'element',
    tagName: 'details',
    properties: { className: ['frontdesk-quote'] },
    children: [summary, ...quoted],
  };
  parent.children = [...parent.children.slice(0, from), details, ...parent.children.slice(to)] as HtmlContent[];
}
