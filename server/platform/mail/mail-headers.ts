import { v7 } from 'uuid';
import { cleanLine } from '../text';

/** Header parsing. `line` is one raw header: name, colon, value with folding, one character per byte. */
export interface Header {
  /** In lower case. */
  key: string;
  line: string;
}

/** Maximum ids of a conversation's References: the oldest, which began it, and the newest. */
export const maximumReferences = 100;
const oldestReferences = 10;

/** RFC 5322 2.1.1 limits lines, and so ids, to this length. In bytes of UTF-8. */
const maximumIdBytes = 998;

/** A header's value, unfolded and decoded as UTF-8 (RFC 6532). */
export function headerValue({ line }: Header): string {
  const value = line.slice(line.indexOf(':') + 1).replace(/\r?\n/g, '');
  return Buffer.from(value, 'latin1').toString('utf8').trim();
}

/** The headers of a block, up to its first empty line. `block` has one character per byte. */
export function headersOf(block: string): Header[] {
  const headers: Header[] = [];
  for (const line of block.split(/\r?\n/)) {
    const last = headers.at(-1);
    if (line === '' && last !== undefined) break;
    if (/^[ \t]/.test(line) && last !== undefined) last.line += `\n${line}`;
    else if (line !== '')
      headers.push({
        key: line
          .slice(0, Math.max(line.indexOf(':'), 0))
          .trim()
          .toLowerCase(),
        line,
      });
  }
  return headers;
}

/** The value of the first header of this name; null if there is none. */
export function firstHeader(headers: readonly Header[], key: string): string | null {
  const found = headers.find((header) => header.key === key);
  return found === undefined ? null : headerValue(found);
}

/** Removes comments (RFC 5322 3.2.2), including nested ones; an unclosed comment is kept. One pass for any input. */
export function withoutComments(value: string): string {
  let kept = '';
  let depth = 0;
  let start = 0;
  for (let index = 0; index < value.length; index++) {
    const character = value[index];
    if (character === '\\') index++;
    else if (character === '(') {
      if (depth === 0) {
        kept += value.slice(start, index);
        start = index;
      }
      depth++;
    } else if (character === ')' && depth > 0) {
      depth--;
      if (depth === 0) {
        kept += ' ';
        start = index + 1;
      }
    }
  }
  return kept + value.slice(start);
}

function asId(inner: string): string | null {
  const id = `<${cleanLine(inner).replace(/[\s<>]+/g, '')}>`;
  return id === '<>' || Buffer.byteLength(id) > maximumIdBytes ? null : id;
}

/** Texts in angle brackets. */
function bracketed(value: string): string[] {
  const found: string[] = [];
  let position = 0;
  for (;;) {
    const open = value.indexOf('<', position);
    const close = open < 0 ? -1 : value.indexOf('>', open);
    if (close < 0) return found;
    const inner = value.slice(open + 1, close);
    found.push(inner.slice(inner.lastIndexOf('<') + 1));
    position = close + 1;
  }
}

/**
 * The raw ids of a References or In-Reply-To header, with angle brackets. Other words (phrases of RFC 822) are ignored; without
 * any brackets, words with an @ count as ids.
 */
export function messageIds(value: string): string[] {
  const inBrackets = bracketed(value);
  const words = inBrackets.length > 0 ? inBrackets : withoutComments(value).split(/[\s,;]+/);
  const ids = inBrackets.length > 0 ? words : words.filter((word) => word.includes('@'));
  return ids.flatMap((id) => asId(id) ?? []);
}

/** A Message-ID for a new mail, in its sender's domain. */
export function newMessageId(sender: string): string {
  return `<${v7()}@${sender.slice(sender.lastIndexOf('@') + 1)}>`;
}

/** The id of a Message-ID header, with angle brackets added if missing; null if missing, empty or invalid. */
export function messageId(value: string): string | null {
  const [inBrackets] = bracketed(value);
  return asId(inBrackets ?? withoutComments(value));
}

/** Ids of References and In-Reply-To, oldest first, without duplicates and the message's own; at most `maximumReferences`. */
export function referencesOf(references: readonly string[], inReplyTo: readonly string[], own: string): string[] {
  const ids = [...new Set([...references, ...inReplyTo])].filter((id) => id !== own);
  if (ids.length <= maximumReferences) return ids;
  return [...ids.slice(0, oldestReferences), ...ids.slice(oldestReferences - maximumReferences)];
}

/** A lower-case value without comments and parameters. */
function keyword(value: string): string {
  return (withoutComments(value).split(';', 1)[0] ?? '').trim().toLowerCase();
}

/**
 * True for automatic mail: RFC 3834 (Auto-Submitted), mailing lists (RFC 2919), bulk mail and the null return path (contract
 * section 6).
 */
export function isAutoReply(headers: readonly Header[]): boolean {
  return headers.some((header) => {
    switch (header.key) {
      case 'auto-submitted':
        return keyword(headerValue(header)) !== 'no';
      case 'precedence':
        return ['bulk', 'list', 'junk'].includes(keyword(headerValue(header)));
      case 'list-id':
        return true;
      case 'return-path':
        return withoutComments(headerValue(header)).replace(/\s+/g, '') === '<>';
      default:
        return false;
    }
  });
}
