import rehypeParse from 'rehype-parse';
import { unified } from 'unified';

const parser = unified().use(rehypeParse, { fragment: true }).freeze();

export type HtmlRoot = ReturnType<typeof parser.parse>;
export type HtmlNode = HtmlRoot['children'][number];
export type HtmlElement = Extract<HtmlNode, { type: 'element' }>;
export type HtmlContent = HtmlElement['children'][number];

/** The tree of a piece of HTML, as a browser would build it inside a body. */
export function parseHtml(html: string): HtmlRoot {
  return parser.parse(html);
}

/** The text of an attribute: lists such as class are joined by spaces, a missing one is ''. */
export function attribute(element: HtmlElement, name: string): string {
  const value = element.properties[name];
  if (value === undefined || value === null || value === false) return '';
  return Array.isArray(value) ? value.join(' ') : String(value);
}
