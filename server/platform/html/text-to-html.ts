const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text for element content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');
}

const address = /[a-z0-9][a-z0-9._%+-]{0,63}@[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?/i;
const linkable = new RegExp(`(?<![\\p{L}\\p{N}_.@/+%-])(?:https?://[^\\s<>"]+|${address.source})`, 'giu');
const closing: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

/** The length of a URL found in a sentence, without trailing punctuation and unmatched brackets. */
function urlLength(url: string): number {
  const counts = new Map<string, number>();
  for (const character of url) counts.set(character, (counts.get(character) ?? 0) + 1);
  let end = url.length;
  for (; end > 0; end--) {
    const last = url[end - 1] ?? '';
    const opening = closing[last];
    if (
      opening === undefined ? !/[.,;:!?'*_~\u2019\u201d\u2026]/.test(last) : (counts.get(opening) ?? 0) >= (counts.get(last) ?? 0)
    )
      break;
    counts.set(last, (counts.get(last) ?? 0) - 1);
  }
  return end;
}

function linkTarget(found: string): string | null {
  if (!/^https?:/i.test(found))
    return /@[^@]+\.[a-z][a-z0-9-]+$/i.test(found) && !found.includes('..') ? `mailto:${found}` : null;
  return URL.canParse(found) ? found : null;
}

/** One line, escaped and linked; spaces that HTML would collapse become no-break spaces. */
function lineToHtml(line: string): string {
  const parts: string[] = [];
  const plain = (text: string) => parts.push(escapeHtml(text));
  let at = 0;
  for (const match of line.matchAll(linkable)) {
    const text = match[0].slice(0, /^https?:/i.test(match[0]) ? urlLength(match[0]) : undefined);
    const target = linkTarget(text);
    if (target === null) continue;
    plain(line.slice(at, match.index));
    parts.push(`<a href="${escapeHtml(target)}">${escapeHtml(text)}</a>`);
    at = match.index + text.length;
  }
  plain(line.slice(at));
  return parts
    .join('')
    .replace(/^[ \t]+/, (spaces) => spaces.replace(/\t/g, '    ').replace(/ /g, '&nbsp;'))
    .replace(/\t/g, '    ')
    .replace(/ {2,}/g, (spaces) => `${'&nbsp;'.repeat(spaces.length - 1)} `);
}

const MAX_QUOTE_DEPTH = 20;

interface Line {
  depth: number;
  text: string;
}

/** A line without its quote marks: `> > text` is `text` at depth 2. */
function quotedLine(line: string): Line {
  const marks = /^(?:> ?)+/.exec(line)?.[0] ?? '';
  return { depth: Math.min(marks.replaceAll(' ', '').length, MAX_QUOTE_DEPTH), text: line.slice(marks.length) };
}

function paragraphs(lines: Line[]): string {
  const result: string[] = [];
  let paragraph: string[] = [];
  const end = () => {
    if (paragraph.length > 0) result.push(`<p>${paragraph.join('<br>\n')}</p>`);
    paragraph = [];
  };
  for (const { text } of lines) {
    if (text.trim() === '') end();
    else paragraph.push(lineToHtml(text));
  }
  end();
  return result.join('\n');
}

/**
 * Converts a mail's plain text to simple HTML: blank lines separate paragraphs, other line breaks and spaces are kept, `>` at
 * the start of a line is a quote (nested up to 20 deep), bare web and e-mail addresses become links. Control characters other
 * than tab and line break are dropped.
 */
export function textToHtml(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are matched on purpose
  const clean = text.replace(/\r\n?/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');
  const lines = clean.split('\n').map(quotedLine);
  const result: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= lines.length; at++) {
    const next = lines[at]?.depth ?? 0;
    if (at < lines.length && next === depth) continue;
    const block = paragraphs(lines.slice(from, at));
    if (block) result.push(block);
    for (; depth < next; depth++) result.push('<blockquote type="cite">');
    for (; depth > next; depth--) result.push('</blockquote>');
    from = at;
  }
  return result.join('\n');
}
