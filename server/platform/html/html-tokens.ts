import { rawTextTags } from './html-tags';

type HtmlToken =
  | { kind: 'text'; source: string }
  /** `attributes` is the source between the name and `>`, without the slash of a self-closing tag. */
  | { kind: 'start'; name: string; attributes: string }
  | { kind: 'end'; name: string }
  /** The raw content of a script, style or similar element. */
  | { kind: 'raw'; name: string; attributes: string; source: string };

const tagName = /[a-z][^\t\n\f\r />]*/iy;
const attributesSource =
  /(?:[\t\n\f\r /]+|[^\t\n\f\r />][^\t\n\f\r />=]*(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"[^"]*"|'[^']*'|(?!["'])[^\t\n\f\r >]*))?)/y;
const openQuote = /[\t\n\f\r ]*=[\t\n\f\r ]*["']/y;
const rawTextEnds = new Map([...rawTextTags].map((name) => [name, new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi')]));

function after(html: string, sought: string, from: number): number {
  const found = html.indexOf(sought, from);
  return found < 0 ? html.length : found + sought.length;
}

function commentEnd(html: string, start: number): number {
  const short = /<!--(?:-?>)/y;
  short.lastIndex = start;
  if (short.test(html)) return short.lastIndex;
  const end = /--!?>/g;
  end.lastIndex = start + 4;
  return end.test(html) ? end.lastIndex : html.length;
}

/** The position of a tag's `>`, for attributes that begin at `from`; the end of the text if the tag is never closed. */
function tagEnd(html: string, from: number): number {
  let at = from;
  while (at < html.length && html[at] !== '>') {
    attributesSource.lastIndex = at;
    if (!attributesSource.test(html) || attributesSource.lastIndex === at) return html.length;
    at = attributesSource.lastIndex;
    // A quoted value at this point has no closing quote.
    openQuote.lastIndex = at;
    if (openQuote.test(html) && !/["']/.test(html[at - 1] ?? '')) return html.length;
  }
  return at;
}

/**
 * Tokenises HTML like a browser, in one pass without recursion. Comments, declarations and an unfinished tag at the end are
 * dropped. Source: WHATWG HTML, section 13.2.5.
 */
export function* htmlTokens(html: string): Generator<HtmlToken> {
  let at = 0;
  let textFrom = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) break;
    const isEnd = html[open + 1] === '/';
    const isMarkup = /[a-z!?]/i.test(html[open + 1] ?? '') || (isEnd && open + 2 < html.length);
    if (!isMarkup) {
      at = open + 1;
      continue;
    }
    if (open > textFrom) yield { kind: 'text', source: html.slice(textFrom, open) };
    tagName.lastIndex = open + (isEnd ? 2 : 1);
    const name = tagName.exec(html)?.[0].toLowerCase();
    if (name === undefined) {
      at = html.startsWith('<!--', open) ? commentEnd(html, open) : after(html, '>', open + 2);
    } else {
      const nameEnd = tagName.lastIndex || open + name.length + (isEnd ? 2 : 1);
      const close = tagEnd(html, nameEnd);
      at = Math.min(close + 1, html.length);
      if (close < html.length) {
        if (isEnd) yield { kind: 'end', name };
        else yield { kind: 'start', name, attributes: html.slice(nameEnd, close).replace(/\/$/, ' ') };
        const ending = isEnd ? undefined : rawTextEnds.get(name);
        if (ending) {
          ending.lastIndex = at;
          const end = ending.exec(html)?.index ?? html.length;
          yield { kind: 'raw', name, attributes: html.slice(nameEnd, close).replace(/\/$/, ' '), source: html.slice(at, end) };
          at = end;
        }
      }
    }
    textFrom = at;
  }
  if (textFrom < html.length) yield { kind: 'text', source: html.slice(textFrom) };
}
