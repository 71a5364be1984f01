import { fromParse5 } from 'hast-util-from-parse5';
import { parseFragment } from 'parse5';

export type HtmlRoot = Extract<ReturnType<typeof fromParse5>, { type: 'root' }>;
export type HtmlNode = HtmlRoot['children'][number];
export type HtmlElement = Extract<HtmlNode, { type: 'element' }>;
export type HtmlContent = HtmlElement['children'][number];

/** Parses an HTML fragment as a browser would inside a body. Without source positions, which take longer than the parsing. */
export function parseHtml(html: string): HtmlRoot {
  return fromParse5(parseFragment(html, { scriptingEnabled: false })) as HtmlRoot;
}

/** The value of an attribute: lists such as class are joined by spaces; '' if missing. */
export function attribute(element: HtmlElement, name: string): string {
  const value = element.properties[name];
  if (value === undefined || value === null || value === false) return '';
  return Array.isArray(value) ? value.join(' ') : String(value);
}
